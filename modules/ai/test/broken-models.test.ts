import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Outbound, type SiteState, State } from '@lyceum/core';
import { expect } from 'chai';
import { ChatProvider, type Completion } from '../provider/chat-provider.ts';
import { retryAfterMs } from '../provider/retry-after.ts';
import { ChatKit, route } from './chat-kit.ts';
import { done, event, FakeModel, piece, streamHead } from './fake-model.ts';

const key = 'sk-kept-to-ourselves';
const message = 'When does the library open?';
const json = { 'Content-Type': 'application/json' };

describe('ai: models that give no usable answer', () => {
  let kit: ChatKit;
  const model = new FakeModel();
  const log: string[] = [];

  before(async () => {
    kit = await ChatKit.withModel(model, { logLines: log });
  });
  after(() => kit.stopWith(model));
  beforeEach(() => model.reset());

  /** Code and status of the model's answer, as a client is told. */
  const refusal = async (respond: (response: ServerResponse) => unknown, stream = false) => {
    model.respond = (_asked, response) => respond(response);
    const { body, status, text } = await kit.chat.post(`${route}/chat`, { message, stream });
    if (!stream) {
      expect(status).to.equal(502);
      return [body.code, body.data.provider_status];
    }
    return /event: error\ndata: (.*)\n\n$/.exec(text)?.[1];
  };

  it('are told of with the status that they answered with', async () => {
    for (const status of [400, 401, 404, 500, 502, 301, 302, 308]) {
      const found = await refusal((response) => {
        response.writeHead(status, { Location: `${model.url}/elsewhere` });
        response.end('{"error":{"message":"no"}}');
      });
      expect(found).to.deep.equal(['ai_provider_error', status]);
    }
    expect(model.asked, 'no redirect is followed, nothing of it sent again').to.have.length(8);
  });

  it('are told of where they answer with something else', async () => {
    const answers: [object, string][] = [
      [{ 'Content-Type': 'text/html' }, '<html>Sign in</html>'],
      [json, ''],
      [json, 'null'],
      [json, '[]'],
      [json, '{"choices":[]}'],
      [json, '{"choices":[null]}'],
      [json, '{"choices":"many"}'],
      [json, '{"choices":[{"message":{"content":""}}]}'],
      [json, '{"choices":[{"message":{"content":" \\n "}}]}'],
      [json, '{"choices":[{"message":{"content":"[7]"}}]}'],
      [json, '{"choices":[{"message":{"content":{"text":"Nine"}}}]}'],
      [json, '{"choices":[{"message":{"content":"Nine"}}],"error":{"message":"no"}}'],
      [json, '{"choices":[{"message":{"content":"Nine'],
    ];
    for (const [head, body] of answers) {
      const found = await refusal((response) => {
        response.writeHead(200, { ...head });
        response.end(body);
      });
      expect(found, body).to.deep.equal(['ai_provider_error', 200]);
    }
  });

  it('are told of where their stream breaks, is no stream, or has no text', async () => {
    const streams: ((response: ServerResponse) => unknown)[] = [
      (response) => response.end(piece('Nine')),
      (response) => response.write(piece('Nine'), () => response.destroy()),
      (response) => response.end('data: {"choices\n\n'),
      (response) => response.end(event({ choices: [{ delta: { content: 7 } }] }) + done),
      (response) => response.end(done),
      (response) => response.end('<html>'),
      (response) => response.end(event(null)),
    ];
    for (const [at, end] of streams.entries()) {
      const found = await refusal((response) => {
        response.writeHead(200, streamHead);
        end(response);
      }, true);
      expect(found, String(at)).to.include('"ai_provider_error"');
    }
  });

  it('are left when their answer is too long, announced or not', async () => {
    const long = 'x'.repeat(1024 * 1024);
    const announced = await refusal((response) => {
      response.writeHead(200, { ...json, 'Content-Length': String(long.length + 100) });
      response.write('{');
    });
    expect(announced).to.deep.equal(['ai_provider_error', null]);
    const [asked] = model.asked;
    const told = await refusal((response) => {
      response.writeHead(200, json);
      response.end(`{"choices":[{"message":{"content":"${long}"}}]}`);
    });
    expect(told?.[0]).to.equal('ai_provider_error');
    await asked?.closed;
  });

  it('are told of where nobody is there, or where nobody may be called', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    await kit.settings({ provider_url: `http://127.0.0.1:${port}/v1` });
    expect(await refusal(() => undefined)).to.deep.equal(['ai_provider_error', null]);
    await kit.useModel(model.url);
    await kit.lyceum.make.settings('host', { outbound_allow: [] });
    for (const host of ['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]']) {
      await kit.settings({ provider_url: `http://${host}:${model.port}/v1` });
      expect(await refusal(() => undefined), host).to.deep.equal(['ai_provider_error', null]);
    }
    expect(model.asked).to.have.length(0);
    await kit.useModel(model.url);
  });

  it('are asked once more when they are busy for a moment', async () => {
    for (const status of [429, 503]) {
      let times = 0;
      model.respond = (_asked, response) => {
        times += 1;
        const isFirst = times === 1;
        response.writeHead(isFirst ? status : 200, { ...json, ...(isFirst ? { 'Retry-After': '0' } : {}) });
        response.end(isFirst ? 'busy' : '{"choices":[{"message":{"content":"Nine"}}]}');
      };
      expect(await kit.ask(message)).to.include({ answer: 'Nine' });
      expect(times).to.equal(2);
    }
    model.asked.length = 0;
    const found = await refusal((response) => response.writeHead(429, { 'Retry-After': '0' }).end('busy'));
    expect(found).to.deep.equal(['ai_provider_error', 429]);
    expect(model.asked).to.have.length(2);
  });

  it('are believed for five seconds at most when they ask for patience', () => {
    expect([undefined, '0', '2', '5', '6', '3600', 'soon', ''].map(retryAfterMs)).to.deep.equal([
      1_000, 0, 2_000, 5_000, 5_000, 5_000, 1_000, 1_000,
    ]);
    expect(retryAfterMs('Wed, 21 Oct 2015 07:28:00 GMT')).to.equal(0);
    expect(retryAfterMs(new Date(Date.now() + 3_600_000).toUTCString())).to.equal(5_000);
  });

  it('have their words in the log, short and without the key, and nothing of them is told', async () => {
    const before = log.length;
    model.respond = (_asked, response) => {
      response.writeHead(401, json);
      response.end(`{"error":"Bad key ${key}, ${encodeURIComponent(key)}. ${'long '.repeat(200)}"}`);
    };
    const { text } = await kit.chat.post(`${route}/chat`, { message }).expect(502);
    expect(text).to.not.match(/Bad key|sk-|long/);
    const { text: streamed } = await kit.chat.post(`${route}/chat`, { message, stream: true }).expect(200);
    expect(streamed).to.not.match(/Bad key|sk-|long/);
    const said = log.slice(before).filter((line) => line.includes('Bad key'));
    expect(said).to.have.length(2);
    for (const line of said) {
      expect(line).to.include('********').and.not.include(key);
      const { err } = JSON.parse(line) as { err: { message: string } };
      expect(err.message.length).to.be.below(360);
    }
  });

  it('are never shown to a log with the secrets of the site, whatever happens', async () => {
    model.respond = null;
    await kit.ask(message);
    await kit.chatOn(undefined, 'a wrong secret of the chat').post(`${route}/chat`, { message }).expect(401);
    const patched = { settings: { provider_key: `${key}-2`, chat_secret: 'another secret of the chat' } };
    await kit.admin.patch('svc/modules/v1/modules/ai/settings', patched).expect(200);
    await kit.settings({ chat_secret: 'a secret of the chat', provider_key: key });
    const { body } = await kit.admin.get('svc/modules/v1/modules/ai/settings').expect(200);
    expect(body.settings).to.include({ provider_key: '********', chat_secret: '********' });
    const audited = await kit.admin.get('svc/modules/v1/audit').expect(200);
    for (const text of [log.join('\n'), audited.text]) {
      expect(text).to.not.match(/sk-kept|secret of the chat/);
    }
    expect(log.length).to.be.above(10);
  });
});

describe('ai: models that are slow', () => {
  let kit: ChatKit;
  const model = new FakeModel();

  before(async () => {
    kit = await ChatKit.withModel(model);
  });
  after(() => kit.stopWith(model));

  /** How an exchange with these limits ends. */
  const end = async (
    limits: { silenceMs: number; wholeMs: number },
    signal = AbortSignal.timeout(60_000),
  ) => {
    const { services } = kit.lyceum.host;
    const site = (await services.host(State).read(1)) as SiteState;
    const asked: Completion = {
      ...{ url: model.url, key: null, model: 'm', temperature: 0, maxTokens: 50, messages: [], stream: true },
    };
    const provider = new ChatProvider(services.host(Outbound), limits);
    return provider
      .complete(site, asked, () => undefined, signal)
      .then(
        () => 'no error',
        (error: Error & { code?: string }) => error.code ?? error.message,
      );
  };

  it('are left after a time without a byte, before the answer or in it', async () => {
    model.respond = () => undefined;
    expect(await end({ silenceMs: 80, wholeMs: 10_000 })).to.equal('ai_provider_timeout');
    await model.asked[0]?.closed;
    model.respond = (_asked, response) => {
      response.writeHead(200, streamHead);
      response.write(piece('Nine'));
    };
    expect(await end({ silenceMs: 80, wholeMs: 10_000 })).to.equal('ai_provider_timeout');
  });

  it('are left after a time in all, though bytes drip', async () => {
    model.respond = (_asked, response) => {
      response.writeHead(200, streamHead);
      const drip = setInterval(() => response.write(': still there\n\n'), 20);
      response.once('close', () => clearInterval(drip));
    };
    expect(await end({ silenceMs: 5_000, wholeMs: 300 })).to.equal('ai_provider_timeout');
  });

  it('are left when the question is given up, also while a second try is waited for', async () => {
    model.respond = (_asked, response) => response.writeHead(503, { 'Retry-After': '5' }).end();
    const controller = new AbortController();
    model.asked.length = 0;
    const ended = end({ silenceMs: 5_000, wholeMs: 10_000 }, controller.signal);
    await model.askedTimes(1);
    controller.abort(new Error('given up'));
    expect(await ended).to.equal('given up');
  });
});
