import { buffer } from 'node:stream/consumers';
import {
  type Client,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  type TestSite,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import supertest, { type Response } from 'supertest';
import { fromBufferPromise } from 'yauzl';

export const route = 'svclms/static-builder/v1';
const posts = 'svc/host/v1/posts';

/** A build as clients see it. */
export interface Shown {
  readonly id: number;
  readonly status: string;
  readonly revision: number;
  readonly progress: { readonly percent: number; readonly current: number; readonly total: number };
  readonly logs: readonly { readonly timestamp: number; readonly level: string; readonly step: string }[];
  readonly view_url: string | null;
  readonly zip_url: string | null;
  readonly files_url: string;
}

/** Host, super admin, and what they do with builds. */
export class BuildKit {
  readonly lyceum: TestHost;
  readonly admin: Client;

  private constructor(lyceum: TestHost, admin: Client) {
    this.lyceum = lyceum;
    this.admin = admin;
  }

  /** @param options workers are `inline` unless they say otherwise */
  static async start(options: TestHostOptions = {}): Promise<BuildKit> {
    const config = { workers: 'inline', ...options.config } as const;
    const lyceum = await startTestHost({ modules: ['static_builder', 'lms'], ...options, config });
    return new BuildKit(lyceum, lyceum.as(await lyceum.make.admin()));
  }

  stop(): Promise<void> {
    return this.lyceum.stop();
  }

  /** A published page with this HTML. */
  async page(title: string, content = `<p>${title}</p>`, more: object = {}): Promise<number> {
    const { body } = await this.admin
      .post(posts, { type: 'page', status: 'publish', title, content, ...more })
      .expect(201);
    return body.id as number;
  }

  async pages(many: number): Promise<number[]> {
    const ids: number[] = [];
    for (let at = 1; at <= many; at += 1) ids.push(await this.page(`Page ${at}`));
    return ids;
  }

  change(id: number, fields: object): Promise<Response> {
    return this.admin.patch(`${posts}/${id}`, fields).expect(200);
  }

  /** Stores a file as an attachment: its address. */
  async upload(bytes: Buffer, name: string, as: Client = this.admin): Promise<string> {
    const { body } = await as.post('svc/host/v1/media').attach('file', bytes, name).expect(201);
    return body.url as string;
  }

  async create(page_ids: readonly number[], more: object = {}): Promise<Shown> {
    const { body } = await this.admin.post(`${route}/builds`, { page_ids, ...more }).expect(201);
    return body as Shown;
  }

  async get(id: number, wait = 0): Promise<Shown> {
    return (await this.admin.get(`${route}/builds/${id}?wait=${wait}`).expect(200)).body as Shown;
  }

  run(id: number): Promise<Response> {
    return this.admin.post(`${route}/builds/${id}/run`).expect(202);
  }

  /** The build when it is as it is wanted. */
  async until(id: number, wanted: (build: Shown) => boolean): Promise<Shown> {
    const end = Date.now() + 60_000;
    let build = await this.get(id);
    while (!wanted(build)) {
      expect(Date.now(), JSON.stringify({ ...build, logs: build.logs.slice(0, 5) })).to.be.lessThan(end);
      build = await this.get(id, 5);
    }
    return build;
  }

  /** The build at the end of its run. */
  ended(id: number): Promise<Shown> {
    return this.until(id, ({ status }) => ['completed', 'error', 'stopped'].includes(status));
  }

  /** Runs it to its end, which is a good one. */
  async built(id: number): Promise<Shown> {
    await this.run(id);
    const build = await this.ended(id);
    expect(build.status, JSON.stringify(build.logs)).to.equal('completed');
    return build;
  }

  /** A build of these pages that was run. */
  async course(page_ids: readonly number[], more: object = {}): Promise<Shown> {
    return this.built((await this.create(page_ids, more)).id);
  }

  /** Whatever lies at an address of the installation, asked for by nobody. */
  async fetch(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { pathname, search } = new URL(url);
    return supertest(this.lyceum.origin).get(`${pathname}${search}`).set(headers).buffer(true).parse(readAll);
  }

  async text(build: Pick<Shown, 'files_url'>, path: string): Promise<string> {
    const answer = await this.fetch(`${build.files_url}${path}`);
    expect(answer.status, path).to.equal(200);
    return (answer.body as Buffer).toString('utf8');
  }

  /** Files of the zip by name, in its order. */
  async zip(build: Shown): Promise<ReadonlyMap<string, Buffer>> {
    const answer = await this.fetch(build.zip_url ?? '');
    expect(answer.status).to.equal(200);
    const zip = await fromBufferPromise(answer.body as Buffer, { lazyEntries: true });
    const files = new Map<string, Buffer>();
    for await (const entry of zip.eachEntry()) {
      files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
    }
    return files;
  }

  /** Keys of all files in the storage of builds of the site. */
  async stored(site = 1): Promise<string[]> {
    const { Storage } = await import('@lyceum/core');
    const keys: string[] = [];
    for await (const { key } of this.lyceum.host.services.host(Storage).list(`sites/${site}/static-builds`)) {
      keys.push(key);
    }
    return keys.sort();
  }

  /** A client of a site with this role. */
  async with(role: string, site?: TestSite): Promise<Client> {
    const user = await this.lyceum.make.user({ role, ...(site && { site: site.blog_id }) });
    return this.lyceum.as(user, site);
  }
}

function readAll(answer: Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.on('end', () => done(null, Buffer.concat(chunks)));
}

/** A picture of one pixel, of which there are as many as colours. */
export function picture(colour: number): Buffer {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  gif[13] = colour & 255;
  gif[14] = (colour >> 8) & 255;
  return gif;
}
