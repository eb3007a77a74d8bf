import { Database, SitePurge } from '@lyceum/core';
import { expect } from 'chai';
import { ChatKit, library, route } from './chat-kit.ts';

const question = 'When does the library open?';

describe('ai: sites', () => {
  it('may be the only one of the installation', async () => {
    const kit = await ChatKit.start({ config: { multisite: 'off' } });
    try {
      await kit.publish(library);
      const { conversation_id } = await kit.ask(question);
      expect((await kit.conversation(conversation_id)).messages).to.have.length(2);
      await kit.admin.delete(`${route}/conversations/${conversation_id}`).expect(200);
    } finally {
      await kit.lyceum.stop();
    }
  });

  it('take their conversations along when they go', async () => {
    const kit = await ChatKit.start();
    try {
      await kit.publish(library);
      await kit.ask(question);
      const purge = kit.lyceum.host.services.host(SitePurge);
      const db = kit.lyceum.host.services.host(Database);
      const tables = (await purge.tables()).filter(({ name }) => name.startsWith('ai_'));
      expect(tables.map(({ name }) => name)).to.deep.equal(['ai_messages', 'ai_conversations']);
      for (const table of tables) {
        expect(await db.transaction((trx) => purge.deleteRows(trx, table, 1))).to.be.above(0);
      }
    } finally {
      await kit.lyceum.stop();
    }
  });
});
