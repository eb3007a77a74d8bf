import { countStatements } from '@lyceum/core/testing';
import { expect } from 'chai';
import { ChatKit, route } from './chat-kit.ts';
import { FakeModel } from './fake-model.ts';

const question = 'When does the library open?';

describe('ai: conversations', () => {
  let kit: ChatKit;
  const model = new FakeModel();

  before(async () => {
    kit = await ChatKit.withModel(model);
  });
  after(() => kit.stopWith(model));
  beforeEach(() => model.reset());

  const post = (body: object) => kit.chat.post(`${route}/chat`, { message: question, ...body });
  const refused = (body: object, status: number, code: string) =>
    post(body)
      .expect(status)
      .expect(({ body: said }) => expect(said.code).to.equal(code));

  /** Lets the model answer what it is asked from now on when it is told to. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    model.respond = async (_asked, response) => {
      await promise;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"choices":[{"message":{"content":"Nine [1]"}}]}');
    };
    return resolve;
  };

  it('answer one message once, however often and however it is asked', async () => {
    const message_id = crypto.randomUUID();
    const first = await kit.ask(question, { message_id });
    expect(first.message_id).to.equal(message_id);
    const { conversation_id } = first;
    const again = [
      { message_id },
      { message_id: message_id.toUpperCase(), conversation_id },
      { message_id, top_k: 3, lang: 'ru' },
    ];
    for (const body of again) expect(await kit.ask(`  ${question}\n`, body)).to.deep.equal(first);
    await kit.settings({ provider_url: '' });
    expect(await kit.ask(question, { message_id })).to.deep.equal(first);
    await kit.useModel(model.url);
    expect(model.asked).to.have.length(1);
    expect((await kit.conversation(conversation_id)).messages).to.have.length(2);
  });

  it('refuse a message_id with another text or in another conversation', async () => {
    const { message_id, conversation_id } = await kit.ask(question);
    await refused({ message_id, message: 'When does it close?' }, 409, 'ai_message_conflict');
    const other = await kit.ask(question);
    await refused({ message_id, conversation_id: other.conversation_id }, 409, 'ai_message_conflict');
    const { messages } = (await kit.admin.get(`${route}/conversations/${conversation_id}`)).body;
    await refused({ message_id: messages[1].message_id }, 409, 'ai_message_conflict');
  });

  it('are those of their site alone', async () => {
    const site = await kit.lyceum.make.site();
    await kit.settings({ chat_secret: 'a secret of that site' }, site.blog_id);
    const there = kit.chatOn(site, 'a secret of that site');
    const { message_id, conversation_id } = await kit.ask(question);
    const found = await there.post(`${route}/chat`, { message: question, conversation_id }).expect(404);
    expect(found.body.code).to.equal('ai_conversation_not_found');
    const own = await there.post(`${route}/chat`, { message: question, message_id }).expect(200);
    expect(own.body.conversation_id).to.not.equal(conversation_id);
    const path = `${route}/conversations/${conversation_id}`;
    const admin = kit.lyceum.as(await kit.lyceum.make.admin(), site);
    expect((await admin.get(path).expect(404)).body.code).to.equal('ai_conversation_not_found');
    await admin.delete(path).expect(404);
    await kit.admin.get(path).expect(200);
  });

  it('take one question at a time; one that is asked again meanwhile is busy, too', async () => {
    const { conversation_id } = await kit.ask(question);
    const answer = hold();
    const message_id = crypto.randomUUID();
    const before = model.asked.length;
    const first = post({ conversation_id, message_id })
      .expect(200)
      .then(({ body }) => body);
    await model.askedTimes(before + 1);
    await refused({ conversation_id }, 409, 'ai_conversation_busy');
    await refused({ conversation_id, message_id }, 409, 'ai_conversation_busy');
    await refused({ message_id }, 409, 'ai_conversation_busy');
    await refused({ conversation_id, stream: true }, 409, 'ai_conversation_busy');
    const { messages } = await kit.conversation(conversation_id);
    expect(messages.map(({ status }) => status)).to.deep.equal(['done', 'done', 'in_progress']);
    answer();
    expect((await first).answer).to.equal('Nine [1]');
    model.respond = null;
    await kit.ask(question, { conversation_id });
  });

  it('let one of many win that come at once, whoever begins the conversation', async () => {
    for (const known of [true, false]) {
      const { conversation_id } = known ? await kit.ask(question) : { conversation_id: undefined };
      const before = model.asked.length;
      const answer = hold();
      const message_id = crypto.randomUUID();
      const all = Array.from({ length: 8 }, () =>
        post({ conversation_id, message_id }).then(({ status, body }) => [status, body.code] as const),
      );
      const lost = Promise.all(all.map((one) => one.then(([status]) => status)));
      await model.askedTimes(before + 1);
      while ((await kit.lyceum.host.db.knex('ai_messages').where({ message_id })).length === 0);
      answer();
      const found = await lost;
      expect(
        found.filter((status) => status === 409).length + found.filter((status) => status === 200).length,
      ).to.equal(8);
      expect(model.asked).to.have.length(before + 1);
      const rows = await kit.lyceum.host.db.knex('ai_messages').where({ message_id });
      expect(rows).to.have.length(1);
      model.respond = null;
      const stored = await kit.ask(question, { message_id });
      expect((await kit.conversation(stored.conversation_id)).messages.at(-1)?.status).to.equal('done');
      expect(model.asked).to.have.length(before + 1);
    }
  });

  it('keep a question that failed, leave it out of what follows, and take it again', async () => {
    const { conversation_id } = await kit.ask(question);
    model.respond = (_asked, response) => response.writeHead(500).end('no');
    const message_id = crypto.randomUUID();
    await refused(
      { conversation_id, message_id, message: 'Is it true of the library?' },
      502,
      'ai_provider_error',
    );
    model.respond = null;
    model.asked.length = 0;
    await kit.ask('Does the library open on Sundays?', { conversation_id });
    expect(JSON.stringify(model.asked[0]?.body.messages)).to.not.include('Is it true');
    const { messages } = await kit.conversation(conversation_id);
    expect(messages.map(({ status }) => status)).to.deep.equal(['done', 'done', 'failed', 'done', 'done']);
    expect(messages[2]?.error?.code).to.equal('ai_provider_error');
    const again = await kit.ask('Is it true of the library?', { conversation_id, message_id });
    expect(again.message_id).to.equal(message_id);
    const after = await kit.conversation(conversation_id);
    expect(after.messages.map(({ content }) => content).slice(-2)).to.deep.equal([
      'Is it true of the library?',
      'Nine [1]',
    ]);
    expect(after.messages.every(({ status, error }) => status === 'done' && error === null)).to.equal(true);
  });

  it('are told of as unknown, whatever is unknown of them', async () => {
    await refused({ conversation_id: crypto.randomUUID() }, 404, 'ai_conversation_not_found');
    await refused(
      { conversation_id: '0190a8c0-1b7e-7c3a-9d2f-3b1f0c5a7e11' },
      404,
      'ai_conversation_not_found',
    );
    for (const id of [crypto.randomUUID(), 'nonsense', '1']) {
      const { body } = await kit.admin.get(`${route}/conversations/${id}`).expect(404);
      expect(body.code).to.equal('ai_conversation_not_found');
      await kit.admin.delete(`${route}/conversations/${id}`).expect(404);
    }
  });

  it('are read and deleted by administrators, and deleting is noted', async () => {
    const { conversation_id, message_id } = await kit.ask(question, { lang: 'ru' });
    const path = `${route}/conversations/${conversation_id}`;
    const { body } = await kit.admin.get(path).expect(200);
    expect(body).to.include({ conversation_id, lang: 'ru', source: 'rest' });
    expect(body.messages).to.have.length(2);
    expect(body.messages[0]).to.deep.include({ message_id, role: 'user', content: question, citations: [] });
    expect(body.messages[1]).to.include({ role: 'assistant', status: 'done', error: null });
    expect(body.messages[1].citations).to.have.length(1);
    const editor = kit.lyceum.as(await kit.lyceum.make.user({ role: 'editor' }));
    for (const [client, status] of [
      [editor, 403],
      [kit.lyceum.anonymous, 401],
      [kit.chat, 401],
    ] as const) {
      expect((await client.get(path).expect(status)).body.code).to.equal('rest_forbidden');
      expect((await client.delete(path).expect(status)).body.code).to.equal('rest_forbidden');
    }
    const deleted = await kit.admin
      .delete(path.replace(conversation_id, conversation_id.toUpperCase()))
      .expect(200);
    expect(deleted.body).to.deep.equal({ deleted: true, conversation_id });
    await kit.admin.get(path).expect(404);
    await kit.admin.delete(path).expect(404);
    await refused({ conversation_id }, 404, 'ai_conversation_not_found');
    const { body: rows } = await kit.admin
      .get('svc/modules/v1/audit?action=ai.delete_conversation')
      .expect(200);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ module: 'ai', subject: `conversation:${conversation_id}` });
    expect(await kit.lyceum.host.db.knex('ai_messages').where({ conversation_id })).to.deep.equal([]);
  });

  it('may be deleted while a question is answered: there is nothing to store the answer in', async () => {
    const { conversation_id } = await kit.ask(question);
    const answer = hold();
    const before = model.asked.length;
    const asked = refused({ conversation_id }, 404, 'ai_conversation_not_found').then(() => undefined);
    await model.askedTimes(before + 1);
    await kit.admin.delete(`${route}/conversations/${conversation_id}`).expect(200);
    answer();
    await asked;
  });

  it('cost the same however long they are and however many there are', async () => {
    const { conversation_id } = await kit.ask(question);
    const { knex } = kit.lyceum.host.db;
    const ask = () => countStatements(() => kit.ask(question, { conversation_id }));
    await ask();
    const before = await ask();
    await knex.raw(
      `insert into ai_messages (message_id, blog_id, conversation_id, role, content, status)
       select gen_random_uuid(), 1, ?, 'user', 'number ' || n, case when n % 2 = 0 then 'done' else 'failed' end
       from generate_series(1, 20000) n`,
      [conversation_id],
    );
    await knex.raw(
      `insert into ai_conversations (conversation_id, blog_id, lang, source)
       select gen_random_uuid(), 1, 'en', 'rest' from generate_series(1, 20000)`,
    );
    await knex.raw('analyze ai_messages, ai_conversations');
    expect(await ask()).to.equal(before);
  });

  it('show the last 500 messages of a long one, oldest first', async () => {
    const { conversation_id } = await kit.ask(question);
    await kit.lyceum.host.db.knex.raw(
      `insert into ai_messages (message_id, blog_id, conversation_id, role, content, status)
       select gen_random_uuid(), 1, ?, 'user', 'number ' || n, 'failed' from generate_series(1, 520) n`,
      [conversation_id],
    );
    const { messages } = await kit.conversation(conversation_id);
    expect(messages).to.have.length(500);
    expect([messages[0]?.content, messages.at(-1)?.content]).to.deep.equal(['number 21', 'number 520']);
  });
});
