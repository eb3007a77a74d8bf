import type { Database } from '../db/database.ts';
import { addressBlock } from './address-block.ts';
import { sha256 } from './credentials.ts';
import { passwordFits } from './passwords.ts';
import type { RateLimit, RateLimits } from './rate-limits.ts';
import { Turns } from './turns.ts';
import type { UserStore } from './user-store.ts';

const seconds = 15 * 60;

/** Wrong attempts after which even the right password is refused for a while. */
const perLogin: RateLimit = { name: 'login', points: 10, seconds };
const perAddress: RateLimit = { name: 'login-address', points: 50, seconds };

/** Whose password it was. The hash is the one that it was held against. */
export interface ProvenUser {
  readonly id: number;
  readonly password_hash: string;
}

/**
 * Checks a login and password, the same work for known and unknown logins, and counts wrong ones.
 * Attempts count in the order in which they end: of 50 wrong ones at once in two processes ten are told that they
 * were wrong, and right ones are never mistaken for wrong. Turns bound the work that comes too late to matter.
 */
export class PasswordLogin {
  readonly #db: Database;
  readonly #users: UserStore;
  readonly #limits: RateLimits;
  readonly #byLogin = new Turns(2);
  readonly #byAddress = new Turns(8);

  constructor(db: Database, users: UserStore, limits: RateLimits) {
    this.#db = db;
    this.#users = users;
    this.#limits = limits;
  }

  /**
   * @param name login or e-mail, in any case
   * @returns null for a wrong or unknown login or password, alike
   * @throws `rest_too_many_requests` while the login or the address is locked, whatever the password
   */
  async attempt(name: string, password: string, ip: string): Promise<ProvenUser | null> {
    const text = name.trim().toLowerCase();
    const address = addressBlock(ip, 32);
    return this.#byAddress.run(address, async () => {
      const user = await this.#users.byName(this.#db.knex, text);
      // Login and e-mail of one account share its count; a name of nobody counts for itself.
      const login = user ? `user:${user.id}` : `name:${sha256(text).toString('base64url')}`;
      return this.#byLogin.run(login, async () => {
        await this.#refuseLocked(login, address);
        const hash = user?.password_hash ?? null;
        if (!(await passwordFits(hash, password)) || !user || hash === null) {
          await this.#count(login, address);
          return null;
        }
        // Others may have failed meanwhile; a right password must not outrun their lock.
        await this.#refuseLocked(login, address);
        return { id: user.id, password_hash: hash };
      });
    });
  }

  async #refuseLocked(login: string, address: string): Promise<void> {
    await this.#limits.ask(perLogin, login);
    await this.#limits.ask(perAddress, address);
  }

  /** Counts for both, even when one is full already. */
  async #count(login: string, address: string): Promise<void> {
    const counted = await Promise.allSettled([
      this.#limits.count(perLogin, login),
      this.#limits.count(perAddress, address),
    ]);
    for (const one of counted) if (one.status === 'rejected') throw one.reason;
  }
}
