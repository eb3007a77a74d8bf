import type { Database, Site } from '@lyceum/core';
import { findLogin } from './login-store.ts';
import type { PinSecrets } from './pin-secrets.ts';

/** Longer texts name nobody: this is more than the longest e-mail address. */
const longestName = 255;

/** A login as it was typed. */
export interface Login {
  /** The user whom it names, if he may log in on the site. */
  readonly userId: number | null;
  /** Under which attempts are counted; the same for the login and the e-mail of one account. */
  readonly key: Buffer;
}

/** Finds out whom a typed login means, with the same work whether it means somebody. */
export class Logins {
  readonly #db: Database;
  readonly #secrets: PinSecrets;

  constructor(db: Database, secrets: PinSecrets) {
    this.#db = db;
    this.#secrets = secrets;
  }

  async read(typed: string, site: Pick<Site, 'blog_id' | 'network_id'>): Promise<Login> {
    const text = typed.trim().toLowerCase();
    const userId = await findLogin(this.#db, text.slice(0, longestName), site);
    return { userId, key: this.#secrets.loginKey(userId, text) };
  }
}
