import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Context } from 'koa';
import { decideServe } from '../../files/serve.ts';

const fileName = 'standalone.js';

interface ReferenceScript {
  readonly path: string;
  readonly bytes: number;
  readonly modified: Date;
  /** Of its content, so that its address changes whenever it does. */
  readonly hash: string;
}

/** The script that renders the API page, from the installed package: 3.6 MB, streamed, never kept in memory. */
export class DocsAssets {
  #script: Promise<ReferenceScript> | null = null;

  async #read(): Promise<ReferenceScript> {
    const path = fileURLToPath(import.meta.resolve(`@scalar/api-reference/browser/${fileName}`));
    const [content, { size, mtime }] = await Promise.all([readFile(path), stat(path)]);
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
    return { path, bytes: size, modified: mtime, hash };
  }

  #known(): Promise<ReferenceScript> {
    this.#script ??= this.#read().catch((error: unknown) => {
      this.#script = null;
      throw error;
    });
    return this.#script;
  }

  /** Where the script is, below `docs/assets/`. */
  async scriptName(): Promise<string> {
    return `${(await this.#known()).hash}/${fileName}`;
  }

  /** Answers GET or HEAD for the script; any cache may keep it for good. */
  async sendScript(ctx: Context): Promise<true> {
    const { path, hash, bytes, modified } = await this.#known();
    // Nobody needs a part of a script: the whole is a right answer to a range, too.
    const asked = { ...ctx.headers, range: undefined };
    const { status, headers } = decideServe(ctx.method === 'HEAD' ? 'HEAD' : 'GET', asked, {
      bytes,
      modified,
      mime: 'text/javascript',
      filename: null,
      pagePolicy: "default-src 'none'; sandbox",
      etag: hash,
      immutable: true,
      visibility: 'public',
      crossOrigin: false,
    });
    ctx.status = status;
    for (const [header, value] of Object.entries(headers)) ctx.set(header, value);
    // Any cache may keep the file, so nothing of a session may be in the answer.
    ctx.remove('X-Svc-Nonce');
    if (ctx.method === 'GET') ctx.body = status === 200 ? createReadStream(path) : '';
    return true;
  }
}
