import { nobody, RawRequest } from '@lyceum/core/testing';
import { expect } from 'chai';
import { ChatKit, library, route, secret } from './chat-kit.ts';

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
