import { Storage } from '@lyceum/core';
import { type Client, type Identity, samples, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';

export const route = 'svc/site-duplicator/v1';

const ended = /^(completed|failed|cancelled)$/;

export interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly phase: string;
  readonly message: string;
  readonly progress: { readonly percent: number; readonly current: number; readonly total: number };
  readonly payload: Record<string, unknown>;
  readonly result: CopyResult | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface CopyResult {
  readonly blog_id: number;
  readonly site_url: string;
  readonly copied: Record<string, number> & { readonly modules: Record<string, number> };
  readonly skipped_files: readonly { readonly old_id: number; readonly reason: string }[];
  readonly replaced_urls: number;
}

export interface Shown {
  readonly id: number;
  readonly slug: string;
  readonly content: string;
  readonly meta: Record<string, unknown>;
  readonly [field: string]: unknown;
}

/** Requests on behalf of one person around copies of sites. */
export class CopyKit {
  readonly lyceum: TestHost;
  readonly identity: Identity;
  readonly client: Client;

  constructor(lyceum: TestHost, identity: Identity) {
    this.lyceum = lyceum;
    this.identity = identity;
    this.client = lyceum.as(identity);
  }

  on(site: TestSite): Client {
    return this.lyceum.as(this.identity, site);
  }

  async begin(source: number, body: object): Promise<Job> {
    const { body: job } = await this.client.post(`${route}/sites/${source}/duplicate`, body).expect(202);
    return job as Job;
  }

  async end(jobId: string): Promise<Job> {
    for (;;) {
      const { body } = await this.client.get(`${route}/jobs/${jobId}?wait=10`).expect(200);
      if (ended.test(body.status)) return body as Job;
    }
  }

  /** The copy when it is whole. */
  async copy(
    source: number,
    body: object,
  ): Promise<{ readonly site: TestSite; readonly result: CopyResult }> {
    const job = await this.end((await this.begin(source, body)).job_id);
    expect(job.error).to.equal(null);
    const result = job.result as CopyResult;
    const row = await this.lyceum.host.db.knex('sites').where({ blog_id: result.blog_id }).first();
    return { site: { blog_id: result.blog_id, path: row.path, domain: row.domain }, result };
  }

  async post(site: TestSite, body: object): Promise<Shown> {
    return (await this.on(site).post('svc/host/v1/posts', body).expect(201)).body as Shown;
  }

  async term(site: TestSite, body: object): Promise<Shown> {
    return (await this.on(site).post('svc/host/v1/terms', body).expect(201)).body as Shown;
  }

  async media(site: TestSite, name: string, fields: Record<string, string> = {}): Promise<Shown> {
    const request = this.on(site).post('svc/host/v1/media').attach('file', samples.png, name);
    for (const [field, value] of Object.entries(fields)) request.field(field, value);
    return (await request.expect(201)).body as Shown;
  }

  async posts(site: TestSite, type: string): Promise<Shown[]> {
    const query = `type=${type}&status=any&include=content,meta&orderby=id&order=asc&per_page=100`;
    return (await this.on(site).get(`svc/host/v1/posts?${query}`).expect(200)).body as Shown[];
  }

  async terms(site: TestSite, taxonomy: string): Promise<Shown[]> {
    return (await this.on(site).get(`svc/host/v1/terms?taxonomy=${taxonomy}&per_page=100`).expect(200))
      .body as Shown[];
  }

  async attachments(site: TestSite): Promise<Shown[]> {
    return (await this.on(site).get('svc/host/v1/media?per_page=100').expect(200)).body as Shown[];
  }

  /** Tables of the installation that hold rows of the site, and how many. */
  async rowsOf(blogId: number): Promise<Record<string, number>> {
    const { knex } = this.lyceum.host.db;
    const tables = (await knex('information_schema.columns as c')
      .join('information_schema.tables as t', (join) => {
        join.on('t.table_name', 'c.table_name').andOn('t.table_schema', 'c.table_schema');
      })
      .where({ 'c.column_name': 'blog_id', 'c.table_schema': 'public', 't.table_type': 'BASE TABLE' })
      .pluck('c.table_name')) as string[];
    const found: Record<string, number> = {};
    for (const table of tables) {
      const row = await knex(table).where('blog_id', blogId).count({ n: '*' }).first();
      if (Number(row?.n) > 0) found[table] = Number(row?.n);
    }
    return found;
  }

  /** Keys of the files of a site. */
  async filesOf(blogId: number): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.lyceum.host.services.host(Storage).list(`sites/${blogId}`))
      keys.push(key);
    return keys.sort();
  }
}
