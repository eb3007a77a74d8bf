import { expect } from 'chai';
import { ChatKit, route } from './chat-kit.ts';

const path = `${route}/chat`;
const message = 'When does the library open?';

describe('ai: settings', () => {
  let kit: ChatKit;
  before(async () => {
    kit = await ChatKit.start();
  });
  after(() => kit.lyceum.stop());

  const write = (settings: object) => kit.admin.patch('svc/modules/v1/modules/ai/settings', { settings });

  it('take the address of a model inside only where the network allows it', async () => {
    const inside = { provider_url: 'http://127.0.0.1:9000/v1' };
    const { body } = await write(inside).expect(400);
    expect(body.code).to.equal('rest_invalid_param');
    expect(body.data.params).to.have.all.keys(['settings.provider_url']);
    for (const provider_url of [
      'ftp://example.org/v1',
      'example.org',
      'https://ann:secret@example.org/v1',
      'http://[::1]/v1',
      'http://2130706433/',
      'http://169.254.169.254/latest',
    ]) {
      await write({ provider_url }).expect(400);
    }
    await kit.lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
    await write(inside).expect(200);
    await write({ provider_url: 'https://api.openai.com/v1' }).expect(200);
    await write({ provider_url: '' }).expect(200);
  });

  it('keep to their limits', async () => {
    const wrong: Readonly<Record<string, readonly unknown[]>> = {
      chat_secret: ['fifteen letters', 'x'.repeat(201), 'with\nline breaks in it', ' spaces at its ends ', 7],
      provider_key: ['', 'x'.repeat(501), 'a\r\nX-Other: b'],
      provider: ['anthropic', '', 1],
      model: ['', 'x'.repeat(101)],
      temperature: [-0.1, 2.1, '1'],
      max_tokens: [49, 8_001, 60.5],
      system_prompt: ['x'.repeat(8_001)],
      top_k: [0, 21],
      context_tokens: [199, 100_001],
      history_messages: [-1, 51],
      answer_without_sources: ['yes'],
      no_answer_text: ['x'.repeat(501)],
      title: ['x'.repeat(501)],
      greeting: ['x'.repeat(501)],
      rate_per_minute: [0, 10_001],
      retention_days: [0, 3_651],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const { status } = await write({ [name]: value });
        expect(status, `${name} ${String(value).slice(0, 40)}`).to.equal(400);
      }
    }
    await write({ temperature: 0, history_messages: 0, chat_secret: 'sixteen letters!' }).expect(200);
  });

  it('keep secrets sealed, and know the mask from a new one', async () => {
    await write({ chat_secret: 'the first secret', provider_key: 'sk-first' }).expect(200);
    await write({ chat_secret: '********', provider_key: '********' }).expect(200);
    const first = kit.chatOn(undefined, 'the first secret');
    await first.post(path, { message }).expect(200);
    const rows = await kit.lyceum.host.db.knex('site_options').where('name', 'like', 'module:ai:%');
    expect(JSON.stringify(rows)).to.not.match(/the first secret|sk-first/);
    await write({ chat_secret: null }).expect(200);
    await first.post(path, { message }).expect(401);
    const { body } = await kit.admin.get('svc/modules/v1/modules/ai/settings').expect(200);
    expect(body.settings).to.include({ chat_secret: null, provider_key: '********' });
  });
});
