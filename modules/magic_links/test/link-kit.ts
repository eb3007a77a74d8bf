import {
  type Client,
  mailsTo,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import type { Test } from 'supertest';

export const links = 'svc/magic-links/v1/links';
export const consume = 'svc/magic-links/v1/consume';

/** Makes links and uses them, on a host that works. */
export class LinkKit {
  readonly lyceum: TestHost;
  readonly admin: TestUser;
  #addresses = 0;

  constructor(lyceum: TestHost, admin: TestUser) {
    this.lyceum = lyceum;
    this.admin = admin;
  }

  static async start(options: TestHostOptions = {}): Promise<LinkKit> {
    const config = { workers: 'inline', trustedProxies: ['127.0.0.1'], ...options.config } as const;
    const lyceum = await startTestHost({ modules: ['magic_links'], ...options, config });
    return new LinkKit(lyceum, await lyceum.make.admin());
  }

  /** An address that nothing was counted for yet. */
  freshAddress(): string {
    this.#addresses += 1;
    return `10.${Math.floor(this.#addresses / 250)}.${this.#addresses % 250}.7`;
  }

  person(more: object = {}): Promise<TestUser> {
    return this.lyceum.make.user({ role: 'subscriber', ...more });
  }

  /** POST /links as the super admin, for a link to hand over unless the body says otherwise. */
  make(body: object, who: TestUser = this.admin, site?: TestSite): Test {
    return this.lyceum.as(who, site).post(links, { delivery: 'url', ...body });
  }

  async token(user: TestUser, more: object = {}, site?: TestSite): Promise<string> {
    return (await this.make({ user_id: user.id, ...more }, this.admin, site).expect(201)).body.token;
  }

  from(address: string, site?: TestSite): Client {
    return this.lyceum.as({ headers: { 'X-Forwarded-For': address } }, site);
  }

  consume(token: unknown, more: { site?: TestSite; address?: string; redirect?: unknown } = {}): Test {
    const { site, address = this.freshAddress(), ...redirect } = more;
    return this.from(address, site).post(consume, { token, ...redirect });
  }

  /** Links that were mailed to an address, when there are so many. */
  async mailed(address: string, many: number): Promise<string[]> {
    return (await mailsTo(this.lyceum, address, many)).map(({ mail }) => linkIn(mail.text ?? ''));
  }
}

/** The one link in a mail. */
export function linkIn(text: string): string {
  const found = text.match(/\bhttps?:\/\/\S+#token=ml_[\w-]{43}(?=\s)/g) ?? [];
  if (found.length !== 1) throw new Error(`A mail holds ${found.length} links.`);
  return found[0] ?? '';
}

export const tokenIn = (link: string): string => link.split('#token=')[1] ?? '';
