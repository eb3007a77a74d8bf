import { randomBytes, randomUUID } from 'node:crypto';
import { sessionCookie, sha256 } from '../../core/auth/credentials.ts';
import { Nonces } from '../../core/auth/nonces.ts';
import type { Host } from '../../core/boot/host.ts';
import { insertNetwork } from '../../core/content/networks/new-network-store.ts';
import { insertSite } from '../../core/content/sites/new-site-store.ts';
import { SettingsService } from '../../core/settings/settings.ts';
import type { Identity } from './client.ts';

export interface NewUser {
  /** Role on `site`; absent or null: no membership. */
  readonly role?: string | null;
  /** Site of the role; default the main site, 1. */
  readonly site?: number;
  /** Network where he was registered; default 1. */
  readonly network?: number;
  /** Network whose super admin he is. */
  readonly superAdminOf?: number;
  readonly login?: string;
  readonly locale?: string;
}

/** A user with an application password; as an identity he signs every request with it. */
export interface TestUser extends Identity {
  readonly id: number;
  readonly login: string;
  readonly email: string;
}

export interface TestSite {
  readonly blog_id: number;
  readonly path: string;
  readonly domain: string;
}

/** Makes rows directly: a test pays milliseconds for what it needs around the thing that it tests. */
export class Factories {
  readonly #host: Host;
  #count = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  async user(wanted: NewUser = {}): Promise<TestUser> {
    const { knex } = this.#host.db;
    const login = wanted.login ?? `user${this.#next()}`;
    const email = `${login}@example.test`;
    const [row] = (await knex('users')
      .insert({
        network_id: wanted.network ?? 1,
        login,
        email,
        display_name: login,
        nicename: login,
        locale: wanted.locale ?? 'en',
      })
      .returning('id')) as { id: number }[];
    const id = row?.id ?? 0;
    const blog_id = wanted.site ?? 1;
    if (wanted.role) await knex('memberships').insert({ blog_id, user_id: id, role: wanted.role });
    if (wanted.superAdminOf)
      await knex('super_admins').insert({ network_id: wanted.superAdminOf, user_id: id });
    return { id, login, email, ...(await this.applicationPassword(id, login)) };
  }

  async applicationPassword(userId: number, login: string): Promise<Identity> {
    const password = randomBytes(18).toString('base64url');
    await this.#host.db.knex('application_passwords').insert({
      uuid: randomUUID(),
      user_id: userId,
      name: 'test',
      hash: sha256(password),
    });
    return { headers: { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` } };
  }

  /** The first super admin, user 1. */
  async admin(): Promise<TestUser> {
    return {
      id: 1,
      login: 'admin',
      email: 'admin@example.test',
      ...(await this.applicationPassword(1, 'admin')),
    };
  }

  /** A cookie session with its nonce; leave `X-Svc-Nonce` out to send the cookie alone. */
  async session(userId: number): Promise<{ readonly cookie: Identity; readonly signed: Identity }> {
    const token = randomBytes(32).toString('base64url');
    await this.#host.db.knex('sessions').insert({
      token_hash: sha256(token),
      user_id: userId,
      remember: false,
      expires_at: new Date(Date.now() + 3_600_000),
      ip: '127.0.0.1',
      user_agent: 'test',
    });
    const cookie = `${sessionCookie}=${token}`;
    const nonce = this.#host.services.host(Nonces).fresh(userId, sha256(token));
    return {
      cookie: { headers: { Cookie: cookie } },
      signed: { headers: { Cookie: cookie, 'X-Svc-Nonce': nonce } },
    };
  }

  /** A ready site of network 1 in a sub-directory. */
  async site(slug = `site${this.#next()}`): Promise<TestSite> {
    const site = { network_id: 1, domain: 'localhost', path: `/${slug}/`, slug, title: slug };
    const blog_id = await this.#host.db.transaction((trx) => insertSite(trx, site));
    return { blog_id, path: site.path, domain: site.domain };
  }

  /** A further network with its root site; its super admin must be made separately. */
  async network(
    domain = `network${this.#next()}.test`,
    path = '/',
  ): Promise<TestSite & { readonly network_id: number }> {
    const made = await this.#host.db.transaction((trx) =>
      insertNetwork(trx, { domain, path, created_by: 1 }, domain),
    );
    return { ...made, domain, path };
  }

  /** Settings of a module for network 1 and one of its sites (default the main one), checked like a client's. */
  async settings(module: string, given: Readonly<Record<string, unknown>>, blog_id = 1): Promise<void> {
    const spec = this.#host.modules.get(module)?.spec;
    if (!spec) throw new Error(`The module "${module}" is not installed.`);
    const settings = this.#host.services.host(SettingsService);
    const changes = settings.check(spec, given, '');
    await this.#host.db.transaction((trx) => settings.write(trx, spec, changes, { blog_id, network_id: 1 }));
  }
}
