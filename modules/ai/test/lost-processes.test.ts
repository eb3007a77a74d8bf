import { State } from '@lyceum/core';
import { killWorker, runSchedule, startServer } from '@lyceum/core/testing';
import { expect } from 'chai';
import { Tutor } from '../tutor.ts';
import { ChatKit, route, secret } from './chat-kit.ts';
import { FakeModel } from './fake-model.ts';

const question = 'When does the library open?';

describe('ai: processes that end, and time that passes', function () {
  this.timeout(60_000);
  let kit: ChatKit;
  const model = new FakeModel();

  before(async () => {
    kit = await ChatKit.withModel(model);
  });
  after(() => kit.stopWith(model));
  beforeEach(() => model.reset());

  /** As if it had happened so many seconds earlier. */
  const age = (table: string, column: string, conversation_id: string, seconds: number) =>
    kit.lyceum.host.db.knex.raw(
      `update ${table} set ${column} = ${column} - make_interval(secs => ?) where conversation_id = ?`,
      [seconds, conversation_id],
    );

  const tutor = (): Tutor => {
    const { services, modules } = kit.lyceum.host;
    const spec = modules.get('ai')?.spec;
    if (!spec) throw new Error('The module "ai" is not installed.');
    return services.resolve(spec)(Tutor);
  };

  it('leave no conversation busy for ever', async () => {
    const other = await startServer(kit.lyceum, ['ai', 'rag']);
    const { conversation_id } = await kit.ask(question);
    model.respond = () => undefined;
    const message_id = crypto.randomUUID();
    const body = { message: question, conversation_id, message_id };
    const before = model.asked.length;
    const lost = fetch(`${other.origin}/api/${route}/chat`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Ai-Chat-Secret': secret },
      body: JSON.stringify(body),
    }).catch(() => 'lost');
    await model.askedTimes(before + 1);
    // The other process has the conversation: this one knows.
    await kit.chat.post(`${route}/chat`, body).expect(409);
    await killWorker(other.child);
    expect(await lost).to.equal('lost');
    model.respond = null;
    await kit.chat.post(`${route}/chat`, body).expect(409);
    await age('ai_messages', 'begun_at', conversation_id, 151);
    const { messages } = await kit.conversation(conversation_id);
    expect(messages.at(-1)).to.include({ status: 'failed' });
    expect(messages.at(-1)?.error?.code).to.equal('ai_interrupted');
    const next = await kit.ask('Does the library open on Sundays?', { conversation_id });
    expect(next.answer).to.equal('Nine [1]');
    const again = await kit.ask(question, { conversation_id, message_id });
    expect(again).to.include({ message_id, answer: 'Nine [1]' });
  });

  it('ask the model once for a message that comes to several of them at once', async () => {
    const other = await startServer(kit.lyceum, ['ai', 'rag']);
    const message_id = crypto.randomUUID();
    const before = model.asked.length;
    const post = async (origin: string): Promise<number> => {
      const { status } = await fetch(`${origin}/api/${route}/chat`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Ai-Chat-Secret': secret },
        body: JSON.stringify({ message: question, message_id }),
      });
      return status;
    };
    const origins = Array.from({ length: 10 }, (_one, at) =>
      at % 2 === 0 ? other.origin : kit.lyceum.origin,
    );
    const statuses = await Promise.all(origins.map(post));
    expect(statuses).to.include(200);
    for (const status of statuses) expect(status).to.be.oneOf([200, 409]);
    expect([await post(other.origin), await post(kit.lyceum.origin)]).to.deep.equal([200, 200]);
    expect(model.asked).to.have.length(before + 1);
    await killWorker(other.child);
  });

  it('cannot end what somebody else took over from them', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const { conversation_id } = await kit.ask(question);
    model.respond = async (_asked, response) => {
      model.respond = null;
      await goOn;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"choices":[{"message":{"content":"Too late [1]"}}]}');
    };
    const message_id = crypto.randomUUID();
    const before = model.asked.length;
    const slow = kit.chat
      .post(`${route}/chat`, { message: question, conversation_id, message_id })
      .then(({ status }) => status);
    await model.askedTimes(before + 1);
    await age('ai_messages', 'begun_at', conversation_id, 151);
    const taken = await kit.ask(question, { conversation_id, message_id });
    resolve();
    expect(await slow).to.equal(404);
    expect(await kit.ask(question, { conversation_id, message_id })).to.deep.equal(taken);
  });

  it('answer a bot that asks again after its process was lost, at once and once', async () => {
    const asked = {
      ...{ blogId: 1, conversationId: null, messageId: crypto.randomUUID(), message: question },
      ...{ lang: null, source: 'bot' as const },
    };
    const first = new AbortController();
    model.respond = () => undefined;
    const before = model.asked.length;
    const lost = tutor()
      .answer(asked, first.signal)
      .catch((error: Error) => error.message);
    await model.askedTimes(before + 1);
    model.respond = null;
    const signal = AbortSignal.timeout(20_000);
    const answer = await tutor().answer(asked, signal);
    expect(answer).to.include({ answer: 'Nine [1]', message_id: asked.messageId });
    first.abort(new Error('stopped'));
    expect(await lost).to.equal('stopped');
    expect(await tutor().answer(asked, signal)).to.deep.equal(answer);
    expect(model.asked).to.have.length(before + 2);
    const { body } = await kit.admin.get(`${route}/conversations/${answer.conversation_id}`).expect(200);
    expect(body).to.include({ source: 'bot', lang: 'en' });
    expect(body.messages.map(({ status }: { status: string }) => status)).to.deep.equal(['done', 'done']);
    const next = { ...asked, messageId: crypto.randomUUID(), conversationId: answer.conversation_id };
    await tutor().answer(next, signal);
    expect(model.asked.at(-1)?.body.messages).to.have.length(4);
    const codes = await Promise.all(
      [
        { ...next, messageId: crypto.randomUUID(), conversationId: crypto.randomUUID() },
        { ...next, message: 'Another text' },
        { ...next, blogId: 2_000_000 },
        { ...next, message: '\u0000 ' },
      ].map((wrong) =>
        tutor()
          .answer(wrong, signal)
          .catch((error: { code: string }) => error.code),
      ),
    );
    expect(codes).to.deep.equal([
      'ai_conversation_not_found',
      'ai_message_conflict',
      'ai_conversation_not_found',
      'rest_invalid_param',
    ]);
  });

  it('end conversations that nobody goes on with, first for their clients, then for good', async () => {
    const [old, young] = [await kit.ask(question), await kit.ask(question)];
    const days = 24 * 3_600;
    await age('ai_conversations', 'last_message_at', old.conversation_id, 91 * days);
    await age('ai_conversations', 'last_message_at', young.conversation_id, 89 * days);
    await kit.admin.get(`${route}/conversations/${old.conversation_id}`).expect(404);
    const { conversation_id } = old;
    const { body } = await kit.chat.post(`${route}/chat`, { message: question, conversation_id }).expect(404);
    expect(body.code).to.equal('ai_conversation_not_found');
    await runSchedule(kit.lyceum, 'ai.forget-conversations');
    const { knex } = kit.lyceum.host.db;
    expect(await knex('ai_messages').where({ conversation_id })).to.deep.equal([]);
    expect(await knex('ai_conversations').where({ conversation_id })).to.deep.equal([]);
    await kit.admin.get(`${route}/conversations/${young.conversation_id}`).expect(200);
    await kit.settings({ retention_days: 1 });
    await runSchedule(kit.lyceum, 'ai.forget-conversations');
    await kit.settings({ retention_days: null });
    await kit.admin.get(`${route}/conversations/${young.conversation_id}`).expect(404);
    expect(await kit.lyceum.host.services.host(State).read(1)).to.not.equal(null);
  });
});
