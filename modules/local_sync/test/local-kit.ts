import { createHash } from 'node:crypto';
import {
  type Client,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import type { Test } from 'supertest';

export const root = 'svc/local-sync/v1';

export const hashOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** SHA-256 of `[]`. */
export const emptyPage = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945';

/** A PNG of one pixel; its last bytes do not matter to anybody. */
export const png = (salt = ''): Buffer =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from(salt),
  ]);

/** A page as a client tells of it, with its content unless that is left out. */
export const page = (key: string, content: string | null, more: object = {}) => ({
  key,
  hash: hashOf(content ?? ''),
  title: `Page ${key}`,
  editor: 'block',
  ...(content === null ? {} : { content }),
  ...more,
});

/** The same, by its hash alone. */
export const told = (key: string, content: string, more: object = {}) => {
  const { content: _content, ...rest } = page(key, content, more) as ReturnType<typeof page> & {
    content: string;
  };
  return rest;
};

export const file = (path: string, bytes: Buffer) => ({
  path,
  sha256: hashOf(bytes),
  content_base64: bytes.toString('base64'),
});

/** What is answered of a page. */
export interface PageResult {
  readonly key: string;
  readonly post_id: number;
  readonly action: string;
  readonly reason: string | null;
  readonly needs_content: boolean;
  readonly document_hash: string | null;
  readonly problems: { readonly code: string }[];
  readonly error: { readonly code: string } | null;
}

/** Key, action and reason of each page in a line. */
export const said = (results: readonly PageResult[]): string[] =>
  results.map(({ key, action, reason, error }) =>
    [key, action, reason ?? error?.code ?? ''].join(' ').trim().replace('local_sync_', ''),
  );
/** The same, with what is wrong. */
export const withErrors = (results: readonly PageResult[]): string[] =>
  results.map(({ key, action, reason, error }) =>
    `${key} ${action} ${error?.code.replace('local_sync_', '') ?? reason ?? ''}`.trim(),
  );
interface Post {
  readonly id: number;
  readonly status: string;
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly type: string;
  readonly parent_id: number;
  readonly hash: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Syncs projects on a host that serves. */
export class LocalKit {
  readonly lyceum: TestHost;
  readonly admin: TestUser;
  readonly client: Client;
  #projects = 0;

  constructor(lyceum: TestHost, admin: TestUser) {
    this.lyceum = lyceum;
    this.admin = admin;
    this.client = lyceum.as(admin);
  }

  static async start(options: TestHostOptions = {}): Promise<LocalKit> {
    const lyceum = await startTestHost({ modules: ['local_sync'], ...options });
    return new LocalKit(lyceum, await lyceum.make.admin());
  }

  get knex() {
    return this.lyceum.host.db.knex;
  }

  /** A word that no project has yet. */
  project(): string {
    this.#projects += 1;
    return `project-${this.#projects}`;
  }

  sync(project: string, pages: readonly object[], more: object = {}, site?: TestSite): Test {
    return this.lyceum.as(this.admin, site).post(`${root}/sync`, { project, pages, ...more });
  }

  /** The answer of a sync that is well. Pages without a slug get one that no other project has. */
  async synced(project: string, pages: readonly { key: string }[], more: object = {}, site?: TestSite) {
    const own = pages.map((one) => ({ slug: `${project}-${one.key}`, ...one }));
    return (await this.sync(project, own, more, site).expect(200)).body;
  }

  /** Pages of a sync that did what its plan said before. */
  async both(project: string, pages: readonly { key: string }[], more: object = {}): Promise<PageResult[]> {
    const planned = await this.synced(project, pages, { ...more, dry_run: true });
    const done = await this.synced(project, pages, more);
    expect(withErrors(planned.pages), 'the plan foretells it').to.deep.equal(withErrors(done.pages));
    expect(planned.summary).to.deep.equal(done.summary);
    return done.pages;
  }

  async post(id: number): Promise<Post> {
    return this.knex('posts').where({ id }).first();
  }

  /** Somebody changes a post on the site. */
  async edit(id: number, fields: object): Promise<void> {
    await this.client.patch(`svc/host/v1/posts/${id}`, fields).expect(200);
  }

  async revisions(id: number): Promise<{ source: string; content: string; user_id: number | null }[]> {
    return this.knex('post_revisions').where({ post_id: id }).orderBy('revision_id', 'desc');
  }

  items(project: string) {
    return this.client.get(`${root}/projects/${project}/pages?per_page=100`);
  }

  audited(action: string): Promise<Record<string, unknown>[]> {
    return this.knex('audit_log')
      .where({ action: `local_sync.${action}` })
      .orderBy('id');
  }
}
