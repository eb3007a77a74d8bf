import { mock } from 'node:test';
import { expect } from 'chai';
import { answerStream } from '../answer-stream.ts';
import { ChatKit, route, secret } from './chat-kit.ts';
import { eventsIn, spoken } from './events.ts';
import { done, event, FakeModel, piece, streamHead } from './fake-model.ts';

const asked = { message: 'When does the library open?', stream: true };

describe('ai: streamed answers', () => {
  let kit: ChatKit;
  const model = new FakeModel();
  const log: string[] = [];

  before(async () => {
    kit = await ChatKit.withModel(model, { logLines: log });
  });
  after(() => kit.stopWith(model));
  beforeEach(async () => {
    model.reset();
    await kit.useModel(model.url);
  });

  /** Begins to read an answer as browsers do. */
  const open = async (body: object, controller = new AbortController()) => {
    const response = await fetch(`${kit.lyceum.origin}/api/${route}/chat`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Ai-Chat-Secret': secret },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) throw new Error('There is no body.');
    let text = '';
    /** Reads on until the text so far has this in it. */
    const until = async (part: string): Promise<string> => {
      while (!text.includes(part)) {
        const { value, done: ended } = await reader.read();
        if (ended) throw new Error(`The stream ended without ${part}: ${text}`);
        text += value;
      }
      return text;
    };
    return { response, until, leave: () => controller.abort() };
  };

  it('are start, deltas, citations and done, and the deltas are the answer', async () => {
    model.pieces = ['Ni', 'ne', ' [', '1] ', '[7', ']', ' sharp', '. '];
    const { headers, text } = await kit.chat.post(`${route}/chat`, asked).expect(200);
    expect(headers).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const events = eventsIn(text);
    const names = events.map((one) => one.event);
    expect(names[0]).to.equal('start');
    expect(names.slice(-2)).to.deep.equal(['citations', 'done']);
    expect(new Set(names.slice(1, -2))).to.deep.equal(new Set(['delta']));
    const answer = events.at(-1)?.data as Record<string, unknown>;
    expect(answer.answer).to.equal('Nine [1] sharp.');
    expect(spoken(events)).to.equal(answer.answer);
    expect(events.at(-2)?.data).to.deep.equal({ citations: answer.citations });
    expect(answer.citations).to.have.length(1);
    expect(answer.usage).to.deep.equal({ prompt_tokens: 40, completion_tokens: 3 });
    expect(model.asked[0]?.body.stream).to.equal(true);
    const { conversation_id, message_id } = answer as { conversation_id: string; message_id: string };
    expect(events[0]?.data).to.deep.equal({ conversation_id, message_id });
    const whole = await kit.ask(asked.message, { conversation_id, message_id });
    expect(whole).to.deep.equal(answer);
    expect(JSON.stringify(whole)).to.equal(JSON.stringify(answer));
    expect(model.asked).to.have.length(1);
  });

  it('come by the header Accept, and in the same form where the sources are quoted or nothing is found', async () => {
    await kit.settings({ provider: 'builtin' });
    for (const message of [asked.message, 'What is the capital of Peru?']) {
      const { text } = await kit.chat
        .post(`${route}/chat`, { message })
        .set('Accept', 'text/event-stream')
        .expect(200);
      const events = eventsIn(text);
      expect(events.map((one) => one.event)).to.deep.equal(['start', 'delta', 'citations', 'done']);
      expect(spoken(events)).to.equal(events.at(-1)?.data.answer);
    }
  });

  it('give a stored answer again as a stream', async () => {
    const first = await kit.ask(asked.message);
    const { message_id } = first;
    const { text } = await kit.chat.post(`${route}/chat`, { ...asked, message_id }).expect(200);
    const events = eventsIn(text);
    expect(events.map((one) => one.event)).to.deep.equal(['start', 'delta', 'citations', 'done']);
    expect(events.at(-1)?.data).to.deep.equal(first);
    expect(model.asked).to.have.length(1);
  });

  it('reach the client as the model speaks', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    model.respond = async (_asked, response) => {
      response.writeHead(200, streamHead);
      response.write(piece('Nine'));
      await goOn;
      response.end(piece(' [1]') + done);
    };
    const stream = await open(asked);
    expect(eventsIn(await stream.until('"Nine"')).map((one) => one.event)).to.deep.equal(['start', 'delta']);
    resolve();
    await stream.until('event: done');
  });

  it('begin before the model does, and end with an error when it breaks off', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    model.respond = async (_asked, response) => {
      await goOn;
      response.writeHead(200, streamHead);
      response.end(piece('Nine'));
    };
    const stream = await open(asked);
    const [start] = eventsIn(await stream.until('\n\n'));
    expect(start?.event).to.equal('start');
    resolve();
    const events = eventsIn(await stream.until('event: error').then(() => stream.until('"}\n\n')));
    expect(events.at(-1)?.event).to.equal('error');
    expect(events.at(-1)?.data).to.have.keys('code', 'message').and.include({ code: 'ai_provider_error' });
    const { messages } = await kit.conversation(String(start?.data.conversation_id));
    expect(messages).to.have.length(1);
    expect(messages[0]).to.include({ role: 'user', status: 'failed' });
    expect(messages[0]?.error?.code).to.equal('ai_provider_error');
  });

  it('tell what was wrong before they began as every other answer does', async () => {
    const refuse = (body: object, status: number, code: string) =>
      kit.chat
        .post(`${route}/chat`, { ...asked, ...body })
        .expect(status)
        .expect(({ body: said, type }) => {
          expect([said.code, type]).to.deep.equal([code, 'application/json']);
        });
    await refuse({ message: ' ' }, 400, 'rest_invalid_param');
    await refuse({ conversation_id: crypto.randomUUID() }, 404, 'ai_conversation_not_found');
    await kit.settings({ provider_url: '' });
    await refuse({}, 503, 'ai_not_configured');
    await kit.lyceum.as({ headers: {} }).post(`${route}/chat`, asked).expect(401);
  });

  it('end the request to the model when the client goes away, and can be asked for again', async () => {
    model.respond = (_asked, response) => {
      response.writeHead(200, streamHead);
      response.write(piece('Nine'));
    };
    const stream = await open(asked);
    const [start] = eventsIn(await stream.until('"Nine"'));
    stream.leave();
    await model.asked[0]?.closed;
    const id = String(start?.data.conversation_id);
    let { messages } = await kit.conversation(id);
    while (messages[0]?.status === 'in_progress') ({ messages } = await kit.conversation(id));
    expect(messages[0]).to.include({ status: 'failed' });
    expect(messages[0]?.error?.code).to.equal('ai_client_closed');
    model.respond = null;
    const message_id = String(start?.data.message_id);
    expect(await kit.ask(asked.message, { message_id, conversation_id: id })).to.include({
      answer: 'Nine [1]',
    });
    expect((await kit.conversation(id)).messages.map(({ status }) => status)).to.deep.equal(['done', 'done']);
  });

  it('end it also before the model has said anything, and where a whole answer was asked for', async () => {
    model.respond = () => undefined;
    for (const stream of [true, false]) {
      const controller = new AbortController();
      const conversation = await kit.chat.post(`${route}/chat`, { message: 'Who?' }).expect(200);
      const { conversation_id } = conversation.body as { conversation_id: string };
      const before = model.asked.length;
      const opened = open({ ...asked, stream, conversation_id }, controller).catch(() => null);
      await model.askedTimes(before + 1);
      if (stream) await (await opened)?.until('start');
      controller.abort();
      await model.asked[before]?.closed;
      let { messages } = await kit.conversation(conversation_id);
      while (messages.at(-1)?.status === 'in_progress')
        ({ messages } = await kit.conversation(conversation_id));
      expect(messages.at(-1)?.error?.code).to.equal('ai_client_closed');
    }
    // Whoever goes away is no error of anybody's.
    const worst = Math.max(...log.map((line) => (JSON.parse(line) as { level: number }).level));
    expect(worst).to.be.below(50);
  });

  it('end with an error when the model reports one in the middle', async () => {
    model.respond = (_asked, response) => {
      response.writeHead(200, streamHead);
      response.end(piece('Nine') + event({ error: { message: 'overloaded' } }) + done);
    };
    const { text } = await kit.chat.post(`${route}/chat`, asked).expect(200);
    expect(eventsIn(text).map((one) => one.event)).to.deep.equal(['start', 'delta', 'error']);
  });
});

describe('ai: a stream on which nothing comes', () => {
  it('has a comment every 15 s', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const { promise, reject } = Promise.withResolvers<never>();
      const reply = { conversation_id: 'c', message_id: 'm', complete: () => promise };
      const stream = answerStream(reply, () => ({ code: 'x', message: 'y' }));
      mock.timers.tick(15_000);
      mock.timers.tick(15_000);
      reject(new Error('no'));
      const blocks = (await stream.toArray()).join('').split('\n\n');
      expect(blocks.map((block) => block.split(':')[0])).to.deep.equal(['event', '', '', 'event', '']);
    } finally {
      mock.timers.reset();
    }
  });
});
