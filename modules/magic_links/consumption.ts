import {
  addressBlock,
  audit,
  type Call,
  type Database,
  fail,
  isForeignOrigin,
  type RateLimit,
  RateLimits,
  type SignIn,
  sameSiteUrl,
  signIn,
  Users,
} from '@lyceum/core';
import type { LinkStore } from './link-store.ts';
import { hashToken } from './token.ts';

/** Tokens that were no good. */
const perAddress: RateLimit = { name: 'magic-link', points: 20, seconds: 900 };

/** Uses links up. */
export class Consumption {
  readonly #db: Database;
  readonly #links: LinkStore;

  constructor(db: Database, links: LinkStore) {
    this.#db = db;
    this.#links = links;
  }

  /**
   * Begins a session by a token.
   * @throws `magic_links_ssl`, `magic_links_invalid`, `rest_too_many_requests`
   */
  async take(call: Call, token: string, redirect: unknown): Promise<SignIn> {
    // What is sent in clear may be read on the way, and used again by whoever reads it.
    if (call.currentSite.url.startsWith('https:') && !call.https) fail('magic_links_ssl');
    // Another page would sign its visitor in as somebody of its choice.
    if (isForeignOrigin(call)) fail('magic_links_invalid');
    const limits = call.get(RateLimits);
    const address = addressBlock(call.ip, 32);
    await limits.ask(perAddress, address);
    const opened = await this.#open(call, token.trim(), redirect);
    if (opened) return opened;
    await limits.count(perAddress, address);
    return fail('magic_links_invalid');
  }

  #open(call: Call, token: string, redirect: unknown): Promise<SignIn | null> {
    const site = call.currentSite;
    return this.#db.transaction(async (trx) => {
      const link = await this.#links.consume(trx, site, hashToken(token), call.ip);
      const user = link && (await call.get(Users).find(trx, site, link.user_id));
      if (!user) return null;
      const place = sameSiteUrl(site.url, redirect) ?? sameSiteUrl(site.url, link.redirect);
      const opened = await signIn(trx, call, user, place);
      await audit(
        trx,
        { site, user, ip: call.ip, requestId: call.requestId },
        {
          module: 'magic_links',
          action: 'magic_links.consume',
          subject: `link:${link.id}`,
          to: { user_id: user.id, address: call.ip },
        },
      );
      return opened;
    });
  }
}
