import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import path from 'node:path';
import {
  type Client,
  type Identity,
  startTestHost,
  type TestHost,
  type TestHostOptions,
} from '@lyceum/core/testing';
import { zipOf } from './zip-maker.ts';

export const space = 'svclms-pro/embed-packages/v1';
export const sandbox =
  'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation';

/** A small export: three files, two documents. */
export const smallExport = {
  'index.html': '<html lang="en"><title>Start &amp; go</title><h1>Start</h1>',
  'a/b.html': '<title>Second</title>',
  'img.png': Buffer.from('89504e470d0a1a0a', 'hex'),
};

/** A host with the module, its super admin, and what tests do with packages. */
export class PackageKit {
  readonly lyceum: TestHost;
  readonly admin: Client;
  readonly identity: Identity;

  private constructor(lyceum: TestHost, identity: Identity) {
    this.lyceum = lyceum;
    this.identity = identity;
    this.admin = lyceum.as(identity);
  }

  static async start(options: Partial<TestHostOptions> = {}): Promise<PackageKit> {
    const lyceum = await startTestHost({ modules: ['embed_packages'], ...options });
    return new PackageKit(lyceum, await lyceum.make.admin());
  }

  upload(
    content: Buffer,
    fields: Readonly<Record<string, string>> = {},
    name = 'export.zip',
    client = this.admin,
  ) {
    return this.send(client.post(`${space}/packages`), content, fields, name);
  }

  replace(id: number, content: Buffer, fields: Readonly<Record<string, string>> = {}, name = 'export.zip') {
    return this.send(this.admin.post(`${space}/packages/${id}/content`), content, fields, name);
  }

  send(
    request: ReturnType<Client['post']>,
    content: Buffer,
    fields: Readonly<Record<string, string>>,
    name: string,
  ) {
    for (const [field, value] of Object.entries(fields)) request.field(field, value);
    return request.attach('file', content, name);
  }

  /** A package of the small export, or of other files. */
  async package(files: Readonly<Record<string, string | Buffer>> = smallExport) {
    return (await this.upload(zipOf(files)).expect(201)).body;
  }

  /** Id of a new page. */
  async page(fields: Readonly<Record<string, unknown>> = {}, client = this.admin): Promise<number> {
    const page = { type: 'page', status: 'publish', title: 'A page', content: '<p>Own</p>', ...fields };
    return (await client.post('svc/host/v1/posts', page).expect(201)).body.id;
  }

  /** Asks as browsers do. */
  async ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
    const answer = await fetch(`${this.lyceum.origin}${new URL(url).pathname}`, { method, headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Status of an address as it stands: other clients tidy a path up. */
  raw(address: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(this.lyceum.origin, { path: address }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      request.on('error', reject);
      request.end();
    });
  }

  /** All files of the storage, scratch files included, and what waits in the folder of uploads. */
  async files(): Promise<string[]> {
    const all = await readdir(this.lyceum.dataDir, { recursive: true, withFileTypes: true });
    return all
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(this.lyceum.dataDir, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  count(table: string): Promise<number> {
    return this.lyceum.host.db
      .knex(table)
      .count({ rows: '*' })
      .first()
      .then((row) => Number((row as { rows: number }).rows));
  }
}
