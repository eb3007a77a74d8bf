import { Storage } from '@lyceum/core';
import { type Client, type Identity, samples, type TestHost, type TestSite } from '@lyceum/core/testing';

export const route = 'svc/post-duplicator/v1/posts';
export const posts = 'svc/host/v1/posts';

export interface Shown {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly meta: Record<string, unknown>;
  readonly terms: Record<string, number[]>;
  readonly [field: string]: unknown;
}

/** Requests of one person around copies of posts. */
export class PostKit {
  readonly lyceum: TestHost;
  readonly identity: Identity;

  constructor(lyceum: TestHost, identity: Identity) {
    this.lyceum = lyceum;
    this.identity = identity;
  }

  on(site?: TestSite): Client {
    return this.lyceum.as(this.identity, site);
  }

  async create(body: object, site?: TestSite): Promise<Shown> {
    return (await this.on(site).post(posts, body).expect(201)).body as Shown;
  }

  async read(id: number, site?: TestSite): Promise<Shown> {
    return (await this.on(site).get(`${posts}/${id}`).expect(200)).body as Shown;
  }

  async term(body: object, site?: TestSite): Promise<Shown> {
    return (await this.on(site).post('svc/host/v1/terms', body).expect(201)).body as Shown;
  }

  async media(
    name: string,
    fields: Record<string, string | number> = {},
    site?: TestSite,
    bytes = samples.png,
  ) {
    const request = this.on(site).post('svc/host/v1/media').attach('file', bytes, name);
    for (const [field, value] of Object.entries(fields)) request.field(field, String(value));
    return (await request.expect(201)).body as Shown;
  }

  async attachments(site?: TestSite): Promise<Shown[]> {
    return (await this.on(site).get('svc/host/v1/media?per_page=100').expect(200)).body as Shown[];
  }

  /** The bytes at a URL of a site. */
  async bytes(url: unknown): Promise<Buffer> {
    const answer = await fetch(`${this.lyceum.origin}${new URL(String(url)).pathname}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  duplicate(id: number | string, body: object = {}, site?: TestSite) {
    return this.on(site).post(`${route}/${id}/duplicate`, body);
  }

  async copy(id: number, body: object = {}, site?: TestSite): Promise<Shown & { readonly post_id: number }> {
    return (await this.duplicate(id, body, site).expect(201)).body;
  }

  batch(id: number | string, body: object = {}, site?: TestSite) {
    return this.on(site).post(`${route}/${id}/duplicate-batch`, body);
  }

  async keys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.lyceum.host.services.host(Storage).list('')) keys.push(key);
    return keys.sort();
  }

  async count(blogId: number, type: string): Promise<number> {
    const row = await this.lyceum.host.db
      .knex('posts')
      .where({ blog_id: blogId, type })
      .count({ n: '*' })
      .first();
    return Number(row?.n);
  }
}
