import { randomInt, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { type ApplicationPassword, ApplicationPasswordStore } from './application-password-store.ts';
import { sha256 } from './credentials.ts';

const most = 50;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 24;

/** With the password, which nobody sees again. */
export type NewApplicationPassword = ApplicationPassword & { readonly password: string };

/** Passwords for programs: 24 random characters, 142 bits, so that a plain SHA-256 is enough to store. */
export class ApplicationPasswords {
  readonly #store = new ApplicationPasswordStore();

  list(sql: Knex, userId: number): Promise<ApplicationPassword[]> {
    return this.#store.list(sql, userId);
  }

  /** null when the user has 50 already, or is gone. */
  async create(trx: Knex.Transaction, userId: number, name: string): Promise<NewApplicationPassword | null> {
    const kept = await this.#store.countLocked(trx, userId);
    if (kept === null || kept >= most) return null;
    const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
    const row = { uuid: randomUUID(), user_id: userId, name, hash: sha256(characters) };
    const made = await this.#store.insert(trx, row);
    return { ...made, password: characters.replaceAll(/.{4}(?=.)/g, '$& ') };
  }

  /** The name of the revoked one; null when the user has none of this uuid. */
  async revoke(sql: Knex, userId: number, uuid: string): Promise<string | null> {
    return isUuid(uuid) ? this.#store.remove(sql, userId, uuid) : null;
  }

  /** All of the user's. */
  revokeAll(sql: Knex, userId: number): Promise<void> {
    return this.#store.removeAll(sql, userId);
  }
}

const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
