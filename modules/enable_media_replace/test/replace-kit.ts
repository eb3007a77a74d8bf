import { Storage } from '@lyceum/core';
import { type Client, type Identity, samples, type TestHost, type TestSite } from '@lyceum/core/testing';

export const route = 'svc/enable-media-replace/v1/attachments';

export interface Media {
  readonly id: number;
  readonly url: string;
  readonly filename: string;
  readonly [field: string]: unknown;
}

/** A picture that is another one than the sample, by what stands behind its end. */
export const otherJpg = Buffer.concat([samples.jpg, Buffer.from('another one')]);

export type Fields = Readonly<Record<string, string | number | boolean>>;

/** Requests around attachments that are replaced, on one site. */
export class ReplaceKit {
  readonly lyceum: TestHost;
  readonly client: Client;
  readonly #site: TestSite | undefined;

  constructor(lyceum: TestHost, identity: Identity, site?: TestSite) {
    this.lyceum = lyceum;
    this.client = lyceum.as(identity, site);
    this.#site = site;
  }

  async upload(content: Buffer, name: string): Promise<Media> {
    const { body } = await this.client.post('svc/host/v1/media').attach('file', content, name).expect(201);
    return body as Media;
  }

  /** The request, not sent yet. */
  replace(id: number | string, content: Buffer, name: string, fields: Fields = {}) {
    const request = this.client.post(`${route}/${id}/replace`);
    for (const [field, value] of Object.entries(fields)) request.field(field, String(value));
    return request.attach('file', content, name);
  }

  async info(id: number) {
    return (await this.client.get(`${route}/${id}/replace-info`).expect(200)).body;
  }

  async media(id: number): Promise<Media> {
    return (await this.client.get(`svc/host/v1/media/${id}`).expect(200)).body as Media;
  }

  async page(fields: object): Promise<{ readonly id: number; readonly [field: string]: unknown }> {
    return (await this.client.post('svc/host/v1/posts', { type: 'page', ...fields }).expect(201)).body;
  }

  async post(id: number) {
    return (await this.client.get(`svc/host/v1/posts/${id}`).expect(200)).body;
  }

  /** What the host answers under the address of a file. */
  async open(url: string, headers: Record<string, string> = {}) {
    const { pathname } = new URL(url);
    const response = await fetch(`${this.lyceum.origin}${pathname}`, {
      headers: this.#site ? { ...headers, Host: this.#site.domain } : headers,
    });
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      cache: response.headers.get('cache-control'),
      type: response.headers.get('content-type'),
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }
}

/** Keys of everything in the storage. */
export async function storedKeys(lyceum: TestHost): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of lyceum.host.services.host(Storage).list('')) keys.push(key);
  return keys.sort();
}

/** Resolves when no job of this installation waits or runs any more. */
export async function jobsEnded(lyceum: TestHost): Promise<void> {
  for (;;) {
    const { knex } = lyceum.host.db;
    const open = await knex('jobs').whereIn('status', ['pending', 'running']).first('job_id');
    if (!open) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Keys of files that the rows of attachments name. */
export const namedKeys = async (lyceum: TestHost): Promise<string[]> =>
  ((await lyceum.host.db.knex('attachments').whereNotNull('file_key').pluck('file_key')) as string[]).sort();
