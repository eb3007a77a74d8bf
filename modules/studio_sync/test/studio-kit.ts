import {
  type Client,
  type Identity,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import type { Test } from 'supertest';

export const root = 'svc/studio-sync/v1';
export const tokens = `${root}/desktop/connect-tokens`;
export const connect = `${root}/desktop/connect`;
export const status = `${root}/desktop/status`;
export const disconnect = `${root}/desktop/disconnect`;
export const items = `${root}/sync/items`;
export const connections = `${root}/connections`;
export const documentOf = (id: number): string => `${root}/sync/posts/${id}`;

/** SHA-256 of `<p>Hello</p>`, `<p>Привет</p>` and `[]`. */
export const hashes = {
  hello: 'd0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900',
  privet: '48067031059db93981e0cc6bc9632c59ff075a360ae45b1888a34490d371c844',
  emptyPage: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
} as const;

/** A connected studio. */
export interface Studio extends Identity {
  readonly connection_id: string;
  readonly token: string;
}

export interface MadePost {
  readonly id: number;
  readonly hash: string;
  readonly slug: string;
}

/** Connects studios, and makes documents for them, on a host that serves. */
export class StudioKit {
  readonly lyceum: TestHost;
  readonly admin: TestUser;
  #addresses = 0;

  constructor(lyceum: TestHost, admin: TestUser) {
    this.lyceum = lyceum;
    this.admin = admin;
  }

  static async start(options: TestHostOptions = {}): Promise<StudioKit> {
    const config = { trustedProxies: ['127.0.0.1'], ...options.config };
    const lyceum = await startTestHost({ modules: ['studio_sync', 'lms'], ...options, config });
    return new StudioKit(lyceum, await lyceum.make.admin());
  }

  get knex() {
    return this.lyceum.host.db.knex;
  }

  /** An address that nothing was counted for yet. */
  freshAddress(): string {
    this.#addresses += 1;
    return `10.${Math.floor(this.#addresses / 250)}.${this.#addresses % 250}.7`;
  }

  from(address: string, site?: TestSite): Client {
    return this.lyceum.as({ headers: { 'X-Forwarded-For': address } }, site);
  }

  async connectToken(user: Identity, site?: TestSite): Promise<string> {
    return (await this.lyceum.as(user, site).post(tokens, {}).expect(201)).body.token;
  }

  connect(token: unknown, more: { site?: TestSite; address?: string; body?: object } = {}): Test {
    const { site, address = this.freshAddress(), body = {} } = more;
    return this.from(address, site).post(connect, { token, device_name: 'Laptop', ...body });
  }

  async studio(user: Identity, site?: TestSite): Promise<Studio> {
    const token = await this.connectToken(user, site);
    const { body } = await this.connect(token, site ? { site } : {}).expect(200);
    return bearerOf(body.connection_id, body.access_token);
  }

  /** A post through the host's own route. */
  async post(fields: object = {}, who: Identity = this.admin, site?: TestSite): Promise<MadePost> {
    const wanted = { type: 'page', title: 'A page', content: '<p>Hello</p>', status: 'publish', ...fields };
    return (await this.lyceum.as(who, site).post('svc/host/v1/posts', wanted).expect(201)).body;
  }

  read(studio: Identity, id: number, site?: TestSite): Test {
    return this.lyceum.as(studio, site).get(documentOf(id));
  }

  write(studio: Identity, id: number, body: object, site?: TestSite): Test {
    return this.lyceum.as(studio, site).patch(documentOf(id), body);
  }

  async revisions(id: number): Promise<{ source: string; content: string; title: string; hash: string }[]> {
    return this.knex('post_revisions').where({ post_id: id }).orderBy('revision_id', 'desc');
  }

  audited(action: string): Promise<Record<string, unknown>[]> {
    return this.knex('audit_log')
      .where({ action: `studio_sync.${action}` })
      .orderBy('id');
  }
}

export const bearerOf = (connection_id: string, token: string): Studio => ({
  connection_id,
  token,
  headers: { Authorization: `Bearer ${token}` },
});
