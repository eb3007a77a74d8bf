import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the model as it came. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly stream: boolean;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [field: string]: unknown;
  };
  /** Resolves when the connection of the request is closed. */
  readonly closed: Promise<void>;
}

type Respond = (asked: Asked, response: ServerResponse) => unknown;

/** One event of a stream of the chat-completions protocol. */
export const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** A piece of an answer as an event. */
export const piece = (content: string): string =>
  event({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  });

export const done = 'data: [DONE]\n\n';

export const streamHead = { 'Content-Type': 'text/event-stream' };

/** A server on loopback that speaks the chat-completions protocol as language models do. */
export class FakeModel {
  readonly asked: Asked[] = [];
  /** What it answers, in the pieces in which it streams. */
  pieces: readonly string[] = ['Nine', ' [1]'];
  /** Takes the place of the usual answers. */
  respond: Respond | null = null;
  readonly #server: Server;
  #waiting: (() => void)[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { promise: closed, resolve } = Promise.withResolvers<void>();
        response.once('close', resolve);
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'];
        const asked = { path: request.url ?? '', headers: request.headers, body, closed };
        this.asked.push(asked);
        for (const tell of this.#waiting.splice(0)) tell();
        if (this.respond) this.respond(asked, response);
        else this.#answer(asked, response);
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
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
    this.asked.length = 0;
    this.pieces = ['Nine', ' [1]'];
    this.respond = null;
  }

  /** Resolves when it has been asked so many times. */
  async askedTimes(times: number): Promise<void> {
    while (this.asked.length < times) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #answer({ body }: Asked, response: ServerResponse): void {
    const usage = { prompt_tokens: 40, completion_tokens: 3, total_tokens: 43 };
    if (!body.stream) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const message = { role: 'assistant', content: this.pieces.join('') };
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
      return;
    }
    response.writeHead(200, streamHead);
    response.write(event({ choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] }));
    for (const one of this.pieces) response.write(piece(one));
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }));
    response.end(done);
  }
}
