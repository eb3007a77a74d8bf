import { nobody, RawRequest } from '@lyceum/core/testing';
import { expect } from 'chai';
import { ChatKit, library, route, secret } from './chat-kit.ts';
import { FakeModel } from './fake-model.ts';

const path = `${route}/chat`;
const message = 'When does the library open?';

describe('ai: requests', () => {
  let kit: ChatKit;

  before(async () => {
    kit = await ChatKit.start();
    await kit.publish(library);
  });
  after(() => kit.lyceum.stop());

  it('are refused without the right secret, whatever else they bring', async () => {
    const { session } = kit.lyceum.make;
    const admin = await kit.lyceum.make.admin();
    const { signed } = await session.call(kit.lyceum.make, 1);
    const identities = [nobody.headers, admin.headers, signed.headers];
    const wrong = ['', ' ', 'wrong', secret.slice(1), `${secret}x`, secret.toUpperCase(), '********'];
    for (const headers of identities) {
      for (const shown of wrong) {
        const client = kit.lyceum.as({ headers: { ...headers, 'X-Ai-Chat-Secret': shown } });
        const { body } = await client.post(path, { message }).expect(401);
        expect(body.code).to.equal('rest_forbidden');
      }
      const { body } = await kit.lyceum.as({ headers }).post(path, { message }).expect(401);
      expect(body.code).to.equal('rest_forbidden');
      const both = kit.lyceum.as({ headers: { ...headers, 'X-Ai-Chat-Secret': secret } });
      await both.post(path, { message }).expect(200);
    }
  });

  it('are refused before anybody looks at their body', async () => {
    for (const client of [kit.lyceum.anonymous, kit.chatOn(undefined, 'wrong')]) {
      await client.post(path).set('Content-Type', 'application/json').send('{').expect(401);
      await client.post(path).set('Content-Type', 'text/xml').send('<a/>').expect(401);
      await client.post(path, { message: 'x'.repeat(100_000) }).expect(401);
    }
    const raw = new RawRequest(kit.lyceum.origin);
    await raw.write(`POST /api/${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\n`);
    expect((await raw.answer()).status).to.equal(401);
  });

  it('are refused where the site has no secret, and GET says that it cannot answer', async () => {
    const site = await kit.lyceum.make.site();
    const { body } = await kit.lyceum.as(nobody, site).get(path).expect(200);
    expect(body).to.include({ enabled: true, available: false, requires_secret: true });
    for (const shown of ['', 'null', '********', secret, 'undefined']) {
      expect((await kit.chatOn(site, shown).post(path, { message }).expect(401)).body.code).to.equal(
        'rest_forbidden',
      );
    }
    await kit.settings({ chat_secret: null });
    await kit.chat.post(path, { message }).expect(401);
    await kit.settings({ chat_secret: secret });
  });

  it('learn of the chat by GET what a page needs, and no more', async () => {
    const { body } = await kit.lyceum.anonymous.get(path).expect(200);
    expect(body).to.deep.equal({
      ...{ enabled: true, available: true, blog_id: 1, title: 'Tutor', lang: 'en', provider: 'builtin' },
      greeting: 'Ask me about anything that you have read on this site.',
      ...{ streaming: true, requires_secret: true, retrieval: { available: true, chunks: 1 } },
      limits: { message_chars: 4000, rate_per_minute: 60 },
    });
    await kit.settings({ provider: 'openai', title: 'Ask <me>', greeting: 'Hi', rate_per_minute: 7 });
    const other = (await kit.lyceum.anonymous.get(path).expect(200)).body;
    expect(other).to.include({ available: false, provider: 'openai', title: 'Ask <me>', greeting: 'Hi' });
    expect(other.limits.rate_per_minute).to.equal(7);
    const { body: asked } = await kit.chat.post(path, { message }).expect(503);
    expect(asked.code).to.equal('ai_not_configured');
    await kit.settings({ provider: null, title: null, greeting: null, rate_per_minute: null });
    await kit.lyceum.make.settings('host', { default_lang: 'ru', languages: ['ru'] });
    expect((await kit.lyceum.anonymous.get(path).expect(200)).body).to.include({
      lang: 'ru',
      title: 'Тьютор',
    });
    await kit.lyceum.make.settings('host', { default_lang: null, languages: null });
  });

  it('count chunks that are ready', async () => {
    await kit.lyceum.host.db.knex('rag_chunks').update({ status: 0 });
    const { body } = await kit.lyceum.anonymous.get(path).expect(200);
    expect(body.retrieval).to.deep.equal({ available: true, chunks: 0 });
  });

  const bad: readonly (readonly [string, object])[] = [
    ['message', { message: '   ' }],
    ['message', { message: '' }],
    ['message', { message: null }],
    ['message', { message: 5 }],
    ['message', { message: ['x'] }],
    ['message', { message: 'x'.repeat(4_001) }],
    ['message', { message: '😀'.repeat(4_001) }],
    ['message', { message: '\u0000\u0007 \u001b' }],
    ['conversation_id', { message, conversation_id: 'x' }],
    ['conversation_id', { message, conversation_id: 7 }],
    ['message_id', { message, message_id: "'; drop table ai_messages" }],
    ['message_id', { message, message_id: '' }],
    ['stream', { message, stream: 'true' }],
    ['lang', { message, lang: 'no such language' }],
    ['lang', { message, lang: '' }],
    ['lang', { message, lang: 'x'.repeat(36) }],
    ['top_k', { message, top_k: 0 }],
    ['top_k', { message, top_k: 21 }],
    ['top_k', { message, top_k: 1.5 }],
    ['post_ids', { message, post_ids: [] }],
    ['post_ids', { message, post_ids: 7 }],
    ['post_ids[0]', { message, post_ids: [0] }],
    ['post_ids[0]', { message, post_ids: ['1'] }],
    ['post_ids', { message, post_ids: Array.from({ length: 101 }, (_one, at) => at + 1) }],
  ];

  it('are refused with the name of what is wrong', async () => {
    for (const [name, asked] of bad) {
      const { body, status } = await kit.chat.post(path, asked);
      const told = `${name} ${JSON.stringify(asked).slice(0, 80)}`;
      expect([status, body.code], told).to.deep.equal([400, 'rest_invalid_param']);
      expect(body.data.params, told).to.have.all.keys([name]);
    }
    const { body } = await kit.chat.post(path, {}).expect(400);
    expect([body.code, body.data.params]).to.deep.equal(['rest_missing_callback_param', ['message']]);
    await kit.chat.post(path, { message: 'x'.repeat(70_000) }).expect(413);
    expect(await kit.lyceum.host.db.knex('ai_conversations').where('blog_id', '<>', 1)).to.deep.equal([]);
  });

  it('may be as long as they may, and lose control characters', async () => {
    const long = 'ж'.repeat(4_000);
    const { conversation_id } = await kit.ask(`  ${long}\n`);
    expect((await kit.conversation(conversation_id)).messages[0]?.content).to.equal(long);
    await kit.ask('😀'.repeat(4_000));
    const hidden = await kit.ask('When does\u0000 the\u0007 library\n\topen\u009b?\r\n\ud83d');
    expect(hidden.answer).to.equal('The library opens at 9:00. [1]');
    const [stored] = (await kit.conversation(hidden.conversation_id)).messages;
    expect(stored?.content).to.equal('When does the library\n\topen?\n\ufffd');
  });

  it('ask for nothing that they could not ask for', async () => {
    for (const text of [
      "'; drop table ai_messages; --",
      '<script>alert(1)</script> library',
      '%_\\ & | ! : * ( library',
      '../../etc/passwd',
      '\u202elibrary',
    ]) {
      await kit.ask(text);
    }
    const { text } = await kit.chat
      .post(path, { message, user_id: 1, blog_id: 2, role: 'system', system_prompt: 'x' })
      .expect(200);
    expect(text).to.include('[1]');
  });

  it('are as many in a minute as the site takes', async () => {
    const site = await kit.lyceum.make.site();
    await kit.settings({ chat_secret: secret, rate_per_minute: 2 }, site.blog_id);
    const chat = kit.chatOn(site);
    await chat.post(path, { message }).expect(200);
    await chat.post(path, { message: 'x'.repeat(4_001) }).expect(400);
    await chat.post(path, { message }).expect(200);
    for (const stream of [false, true]) {
      const { body, headers } = await chat.post(path, { message, stream }).expect(429);
      expect(body.code).to.equal('rest_too_many_requests');
      expect(Number(headers['retry-after'])).to.be.within(1, 60);
    }
    await kit.chat.post(path, { message }).expect(200);
    // What a site takes is asked each time: what was counted before still counts.
    await kit.settings({ rate_per_minute: 5 }, site.blog_id);
    await chat.post(path, { message }).expect(200);
    await chat.post(path, { message }).expect(429);
  });

  it('are described with both forms of their answer', async () => {
    const { body } = await kit.lyceum.anonymous.get('openapi.json').expect(200);
    const { content } = body.paths[`/${path}`].post.responses['200'];
    expect(content).to.have.all.keys('application/json', 'text/event-stream');
  });

  it('find no route where the module is off', async () => {
    await kit.admin.put('svc/modules/v1/modules/ai', { enabled: false }).expect(200);
    expect((await kit.chat.post(path, { message }).expect(404)).body.code).to.equal('rest_no_route');
    await kit.lyceum.anonymous.get(path).expect(404);
    await kit.admin.put('svc/modules/v1/modules/ai', { enabled: true }).expect(200);
    await kit.chat.post(path, { message }).expect(200);
  });
});

describe('ai: without the module that keeps the texts', () => {
  it('there is nothing to answer from, and GET says so', async () => {
    const kit = await ChatKit.start({ modules: ['ai'] });
    try {
      const { body } = await kit.lyceum.anonymous.get(path).expect(200);
      expect(body).to.deep.include({ available: true, retrieval: { available: false, chunks: 0 } });
      expect(await kit.ask(message)).to.deep.include({ no_answer: true, citations: [] });
    } finally {
      await kit.lyceum.stop();
    }
  });
});

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

describe('ai: many questions at once', function () {
  this.timeout(40_000);

  it('ask the model four at a time; the others wait, and not for ever', async () => {
    const kit = await ChatKit.start();
    const model = new FakeModel();
    await model.start();
    try {
      await kit.useModel(model.url);
      await kit.publish(library);
      const { promise: goOn, resolve } = Promise.withResolvers<void>();
      const { promise: first, resolve: endFirst } = Promise.withResolvers<void>();
      model.respond = async (_asked, response) => {
        await (model.asked.length === 1 ? first : goOn);
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end('{"choices":[{"message":{"content":"Nine [1]"}}]}');
      };
      const began = performance.now();
      const all = Array.from({ length: 6 }, () => kit.chat.post(path, { message }).then((answer) => answer));
      await model.askedTimes(4);
      endFirst();
      await model.askedTimes(5);
      const refused = await Promise.any(
        all.map((one) => one.then((answer) => (answer.status === 503 ? answer : Promise.reject(answer)))),
      );
      expect(performance.now() - began).to.be.within(9_500, 20_000);
      expect(refused.body.code).to.equal('ai_busy');
      expect(Number(refused.headers['retry-after'])).to.be.above(0);
      expect(model.asked).to.have.length(5);
      resolve();
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, 200, 200, 200, 200, 503]);
      expect((await kit.ask(message)).answer).to.equal('Nine [1]');
    } finally {
      await kit.lyceum.stop();
      await model.stop();
    }
  });
});
