import { Database, defineSchedule, type ScheduleTools, SettingsService, State } from '@lyceum/core';
import { deleteIdle, sitesWithConversations } from '../conversation/conversation-store.ts';
import { settingsOf } from '../site-settings.ts';

const dayMs = 24 * 60 * 60 * 1000;
const perDelete = 500;

/** Deletes conversations that nobody went on with for longer than their site keeps them. */
export const forgetConversations = defineSchedule({
  id: 'ai.forget-conversations',
  title: 'Delete conversations whose time is over',
  everySeconds: 86_400,
  run: async (tools) => {
    for (const blogId of await sitesWithConversations(tools.get(Database).knex)) {
      if (tools.signal.aborted) return;
      await forgetOfSite(tools, blogId);
    }
  },
});

async function forgetOfSite({ get, now, signal }: ScheduleTools, blogId: number): Promise<void> {
  const state = await get(State).read(blogId);
  if (!state) return;
  const { retention_days } = settingsOf(get(SettingsService), state);
  const before = new Date(now().getTime() - retention_days * dayMs);
  while (!signal.aborted && (await deleteIdle(get(Database), blogId, before, perDelete)) === perDelete);
}
