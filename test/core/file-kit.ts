import { request as httpRequest } from 'node:http';
import { Attachments } from '../../core/content/attachments/attachments.ts';
import { FileLinks } from '../../core/files/file-links.ts';
import { type Client, type Identity, nobody, type TestHost } from '../kit/index.ts';

export const media = 'svc/host/v1/media';

export interface FileAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Puts files on a site and asks for them as browsers and players do. */
export class FileClient {
  readonly #lyceum: TestHost;
  readonly #author: Client;

  constructor(lyceum: TestHost, author: Client) {
    this.#lyceum = lyceum;
    this.#author = author;
  }

  /** Id and path of a new attachment. */
  async upload(content: Buffer | string, name: string): Promise<{ id: number; path: string }> {
    const { body } = await this.#author.post(media).attach('file', Buffer.from(content), name).expect(201);
    return { id: body.id, path: new URL(body.url).pathname };
  }

  async ask(
    address: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
    identity: Identity = nobody,
  ): Promise<FileAnswer> {
    const answer = await fetch(`${this.#lyceum.origin}${address}`, {
      method,
      headers: { ...identity.headers, ...headers },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, bytes };
  }

  async status(address: string, identity: Identity = nobody): Promise<number> {
    return (await this.ask(address, {}, 'GET', identity)).status;
  }

  /** Asks for the address as it stands: other clients tidy a path up. */
  raw(address: string): Promise<{ status: number; code: string }> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(this.#lyceum.origin, { path: address }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          const { code } = JSON.parse(Buffer.concat(pieces).toString()) as { code: string };
          resolve({ status: response.statusCode ?? 0, code });
        });
      });
      request.on('error', reject);
      request.end();
    });
  }

  /** Path of an attachment's file under a grant that is good for some seconds after `now`. */
  async granted(id: number, now: Date, seconds: number): Promise<string> {
    const { services } = this.#lyceum.host;
    const attachment = await services.host(Attachments).find(1, id);
    if (!attachment?.path) throw new Error('There is no such attachment.');
    const expires = Math.floor(now.getTime() / 1000) + seconds;
    const grant = { attachmentId: id, expires, epoch: attachment.grant_epoch };
    return services.host(FileLinks).granted({ url: '/' }, attachment.path, grant);
  }
}
