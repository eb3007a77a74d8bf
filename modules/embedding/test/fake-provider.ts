import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a provider was asked. */
export interface ProviderRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions?: number;
  readonly encoding_format: string;
  readonly authorization: string | undefined;
}

/** Says how a request is answered; null: as a good provider does. */
export type Behaviour = (request: ProviderRequest, response: ServerResponse) => Promise<boolean> | boolean;

/** A real server on loopback that speaks OpenAI's protocol for embeddings, well or as a test wants it. */
export class FakeProvider {
  readonly requests: ProviderRequest[] = [];
  /** Answers and says true, or says false: then the answer is a good one. */
  behave: Behaviour = () => false;
  /** Length of its vectors. */
  dimensions = 64;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Without `/embeddings`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Texts that it was asked for, in order. */
  get texts(): readonly string[] {
    return this.requests.flatMap(({ input }) => input);
  }

  forget(): void {
    this.requests.length = 0;
    this.behave = () => false;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Omit<ProviderRequest, 'authorization'>;
    const asked = { ...body, authorization: request.headers.authorization };
    this.requests.push(asked);
    if (request.url !== '/v1/embeddings' || request.method !== 'POST') {
      say(response, 404, {});
      return;
    }
    if (await this.behave(asked, response)) return;
    // In the wrong order: whoever reads goes by `index`.
    const data = asked.input.map((text, index) => ({ index, embedding: vectorOf(text, this.dimensions) }));
    say(response, 200, { object: 'list', data: data.reverse(), model: asked.model, usage: {} });
  }
}

/** Sends an answer; true, for whoever behaves in this way. */
export function say(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
  return true;
}

/** Words as directions, so that texts with common words are near each other. */
function vectorOf(text: string, length: number): number[] {
  const vector = new Array<number>(length).fill(0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const at = createHash('md5').update(word).digest().readUInt32BE() % length;
    vector[at] = (vector[at] ?? 0) + 3;
  }
  return vector;
}
