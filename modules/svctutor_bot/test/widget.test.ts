import { expect } from 'chai';
import { BotKit, providerToken } from './bot-kit.ts';
import { answerAs, say } from './fake-server.ts';

const collection = 'svctutor-bot/chat-widget/v1/channels';
const origin = 'https://www.shop.example';

describe('svctutor_bot: the chat of a website', function () {
  this.timeout(60_000);
  let kit: BotKit;
  let channel: number;
  let count = 0;

  before(async () => {
    kit = await BotKit.start();
    channel = await kit.widget({ allowed_origins: [origin] });
  });
  after(() => kit.stop());
  beforeEach(async () => {
    kit.reset();
    await kit.settings({ reply_timeout: 20 });
  });

  const event = (text: string, more: object = {}): Record<string, unknown> => {
    count += 1;
    return {
      ...{ event: 'CLIENT_MESSAGE', id: `event-${count}`, client_id: '1233', chat_id: '2037', site_id: '1' },
      ...{ message: { type: 'TEXT', text, timestamp: 1665415879 }, agents_online: true, sender: { id: 1 } },
      ...more,
    };
  };

  it('gets its answer in the response, and the same one again', async () => {
    const asked = event('When does the library open?');
    const { body } = await kit.chat(channel, asked).expect(200);
    const { id, message, ...rest } = body;
    expect(rest).to.deep.equal({ event: 'BOT_MESSAGE', client_id: '1233', chat_id: '2037' });
    expect(id).to.match(/^[0-9a-f-]{36}$/);
    expect(message).to.include({ type: 'TEXT', text: 'Answer 1' });
    expect(message.timestamp).to.be.closeTo(Date.now() / 1000, 60);
    expect((await kit.chat(channel, asked).expect(200)).body).to.deep.equal(body);
    expect(kit.model.came).to.have.length(1);
    const { body: refused } = await kit.chat(channel, { ...event('Other'), id: asked.id }).expect(409);
    expect(refused.code).to.equal('svctutor_bot_event_conflict');
  });

  it('is told to wait when the model is slow, and gets the answer later', async () => {
    await kit.settings({ reply_timeout: 1 });
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    kit.model.respond = async (_came, response) => {
      await goOn;
      answerAs(response, 'Late');
    };
    const asked = event('Slow?');
    const { body } = await kit.chat(channel, asked).expect(202);
    expect(body).to.deep.equal({ id: asked.id, status: 'pending' });
    await kit.settings({ reply_timeout: 20 });
    const waiting = kit
      .chat(channel, asked)
      .then(({ status, body: later }) => ({ status, text: later.message?.text }));
    resolve();
    expect(await waiting).to.deep.equal({ status: 200, text: 'Late' });
    expect(kit.model.came).to.have.length(1);
  });

  it('begins a new conversation after it was closed', async () => {
    const inChat = { chat_id: 'closing' };
    await kit.chat(channel, event('Before?', inChat)).expect(200);
    await kit.chat(channel, event('More?', inChat)).expect(200);
    expect(kit.model.came[1]?.text).to.contain('Before?');
    const closed = event('', { ...inChat, event: 'CHAT_CLOSED', message: undefined });
    for (let times = 0; times < 2; times += 1) {
      const { body } = await kit.chat(channel, closed).expect(200);
      expect(body).to.deep.equal({ id: closed.id, status: 'accepted' });
    }
    await kit.chat(channel, event('After?', inChat)).expect(200);
    expect(kit.model.came[2]?.text).not.to.contain('Before?');
    // A repeated end is the end of what was before it.
    await kit.chat(channel, closed).expect(200);
    await kit.chat(channel, event('And more?', inChat)).expect(200);
    expect(kit.model.came[3]?.text).to.contain('After?');
    for (const name of ['AGENT_JOINED', 'AGENT_UNAVAILABLE']) {
      const joined = event('', { ...inChat, event: name });
      const { body } = await kit.chat(channel, joined).expect(200);
      expect(body).to.deep.equal({ id: joined.id, status: 'accepted' });
    }
  });

  it('says its own words to pictures and empty texts', async () => {
    for (const message of [
      { type: 'PHOTO', file: 'x' },
      { type: 'TEXT', text: ' \n ' },
    ]) {
      const { body } = await kit.chat(channel, event('', { message })).expect(200);
      expect(body.message.text).to.contain('in words');
    }
    expect(kit.model.came).to.deep.equal([]);
  });

  it('is refused with whatever is missing or wrong', async () => {
    for (const name of ['event', 'id', 'client_id', 'chat_id', 'message']) {
      const { body } = await kit.chat(channel, event('x', { [name]: undefined })).expect(400);
      expect(body).to.deep.include({ code: 'rest_missing_callback_param' });
      expect(body.data.params).to.deep.equal([name]);
    }
    for (const wrong of [
      ...[
        { event: 'NOTHING' },
        { id: 'x'.repeat(101) },
        { id: '' },
        { id: 7 },
        { chat_id: 'a\0' },
        { client_id: [] },
      ],
      ...[{ message: 'text' }, { message: { type: 7 } }, { message: { type: 'TEXT', text: 7 } }],
    ]) {
      const { body } = await kit.chat(channel, event('x', wrong)).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
    }
    await kit.chat(channel, event('x'), null).expect(401);
    await kit.chat(channel, event('x'), 'wrong wrong wrong').expect(401);
    await kit.chat(channel, event('x', { pad: 'x'.repeat(257 * 1024) })).expect(413);
    await kit.chat(channel + 1000, event('x')).expect(404);
  });

  it('is read by pages of its origins and no others, never with credentials', async () => {
    // What the site allows to all of its API does not count here.
    await kit.lyceum.make.settings('host', { allowed_origins: ['https://site.example', origin] });
    const preflight = (from: string | null, id = channel) => {
      const request = kit.lyceum.anonymous.options(`svctutor-bot/chat-widget/v1/chat/${id}`);
      request.set('Access-Control-Request-Method', 'POST');
      return from === null ? request : request.set('Origin', from);
    };
    const granted = await preflight(origin).expect(204);
    expect(granted.text).to.equal('');
    expect(granted.headers).to.include({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'Content-Type, X-Svctutor-Bot-Secret',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(granted.headers).not.to.have.property('access-control-allow-credentials');
    for (const other of [
      'https://evil.example',
      `${origin}.evil.example`,
      'null',
      'https://site.example',
      null,
    ]) {
      const { headers } = await preflight(other).expect(204);
      expect(headers.vary).to.equal('Origin');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    }
    await preflight(origin, channel + 1000).expect(404);
    const post = (from: string, body: object) => kit.chat(channel, body).set('Origin', from);
    expect((await post(origin, event('From a page')).expect(200)).headers).to.include({
      'access-control-allow-origin': origin,
    });
    const refused = await post('https://evil.example', event('From another page')).expect(403);
    expect(refused.body.code).to.equal('svctutor_bot_origin_forbidden');
    expect(refused.headers).not.to.have.property('access-control-allow-origin');
    expect((await post(origin, {}).expect(400)).headers['access-control-allow-origin']).to.equal(origin);
    await post(kit.lyceum.origin, event('From the site itself')).expect(200);
  });

  it('has its answers posted, where that was agreed', async () => {
    const id = await kit.widget({
      ...{ name: 'Posted', delivery: 'callback', callback_base_url: `${kit.receiver.url}/in/` },
      provider_token: providerToken,
    });
    kit.receiver.respond = (_came, response, times) => say(response, times === 1 ? 503 : 200, {});
    const asked = event('Posted?');
    const { body } = await kit.chat(id, asked).expect(200);
    expect(body).to.deep.equal({ id: asked.id, status: 'accepted' });
    expect((await kit.chat(id, asked).expect(200)).body).to.deep.equal(body);
    expect((await kit.settled(id)).at(-1)).to.include({ state: 'sent', attempts: 2 });
    const [first, second] = kit.receiver.came;
    expect(first?.path).to.equal(`/in/${providerToken}`);
    expect(first?.json).to.deep.include({ event: 'BOT_MESSAGE', chat_id: '2037', client_id: '1233' });
    expect(first?.json).to.deep.equal(second?.json);
    kit.receiver.respond = (_came, response) => say(response, 404, {});
    await kit.chat(id, event('Lost?')).expect(200);
    const [, lost] = await kit.settled(id);
    expect(lost).to.include({ state: 'failed', attempts: 1 });
    expect(JSON.stringify(await kit.messages(id, collection))).not.to.contain(providerToken);
  });
});
