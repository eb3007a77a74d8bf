import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface Came {
  readonly path: string;
  readonly type: string;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly form: URLSearchParams;
  readonly at: number;
}

export type Respond = (came: Came, response: ServerResponse, count: number) => unknown;

/** Answers with JSON. */
export const say = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
};

function read(text: string): Came['json'] {
  try {
    return JSON.parse(text) as Came['json'];
  } catch {
    return {};
  }
}

/** A server on loopback that stands for a platform or a model. */
export class FakeServer {
  readonly came: Came[] = [];
  respond: Respond;
  readonly #usual: Respond;
  readonly #server: Server;
  #waiting: (() => void)[] = [];

  constructor(usual: Respond) {
    this.#usual = usual;
    this.respond = usual;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const form = new URLSearchParams(text);
        const type = request.headers['content-type'] ?? '';
        const came = { path: request.url ?? '', type, text, json: read(text), form, at: performance.now() };
        this.came.push(came);
        for (const tell of this.#waiting.splice(0)) tell();
        this.respond(came, response, this.came.length);
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  reset(): void {
    this.came.length = 0;
    this.respond = this.#usual;
  }

  /** Resolves when so many requests have come. */
  async times(count: number): Promise<void> {
    while (this.came.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Takes every message. */
export const telegram = (): FakeServer =>
  new FakeServer(({ path }, response, count) =>
    say(
      response,
      200,
      path.endsWith('/setWebhook')
        ? { ok: true, result: true, description: 'Webhook was set' }
        : { ok: true, result: { message_id: count } },
    ),
  );

export const vk = (): FakeServer =>
  new FakeServer((_came, response, count) => say(response, 200, { response: count }));

/** Takes what is posted to it. */
export const receiver = (): FakeServer => new FakeServer((_came, response) => say(response, 200, {}));

/** A language model: says how often it was asked. */
export const model = (): FakeServer =>
  new FakeServer((_came, response, count) => answerAs(response, `Answer ${count}`));

export const answerAs = (response: ServerResponse, content: string): void =>
  say(response, 200, {
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
