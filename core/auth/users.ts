import type { Knex } from 'knex';
import type { Call } from '../api/call.ts';
import { fail } from '../api/errors.ts';
import { sanitizeSlug } from '../content/slug.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import type { ApplicationPasswords } from './application-passwords.ts';
import { hashPassword } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import type { NewUser, Place, UserChanges, UserHere } from './user.ts';
import { listUsers, type UserListQuestion } from './user-list-store.ts';
import type { UserColumns, UserStore } from './user-store.ts';

/** Longest base of a nicename; a number may follow. */
const nicenameLength = 60;

/** Finds and writes accounts. Whether the caller may is decided before. */
export class Users {
  readonly #store: UserStore;
  readonly #sessions: Sessions;
  readonly #applicationPasswords: ApplicationPasswords;

  constructor(store: UserStore, sessions: Sessions, applicationPasswords: ApplicationPasswords) {
    this.#store = store;
    this.#sessions = sessions;
    this.#applicationPasswords = applicationPasswords;
  }

  /** With the standing at the place; null when there is nobody of this id. */
  find(sql: Knex, place: Place, id: number): Promise<UserHere | null> {
    return this.#store.find(sql, place, id);
  }

  /** The account of this login, else of this e-mail, in any case. */
  async findByName(sql: Knex, place: Place, name: string): Promise<UserHere | null> {
    const found = await this.#store.byName(sql, name.trim().toLowerCase());
    return found && this.#store.find(sql, place, found.id);
  }

  /**
   * The user, unless only other networks know him: a network knows who was registered in it, who is a member of
   * one of its sites, and its super admins.
   */
  async findKnown(sql: Knex, place: Place, id: number): Promise<UserHere | null> {
    return (await this.#store.isKnown(sql, place.network_id, id)) ? this.#store.find(sql, place, id) : null;
  }

  /**
   * Whether the caller may give this user, named by id or login, a place in the network: everybody whom the network
   * knows; those who run the installation anybody. Whoever is placed is shown with his e-mail.
   */
  async mayBePlaced(sql: Knex, networkId: number, id: number, callerId: number): Promise<boolean> {
    return (await this.#store.isOperator(sql, callerId)) || this.#store.isKnown(sql, networkId, id);
  }

  /** Those of the ids whom the place's network knows, as `findKnown` has it. */
  known(sql: Knex, place: Place, ids: readonly number[]): Promise<ReadonlySet<number>> {
    return this.#store.known(sql, place.network_id, ids);
  }

  list(sql: Knex, place: Place, asked: UserListQuestion) {
    return listUsers(sql, place, asked);
  }

  /**
   * Writes an account without any role and returns its id. `passwordHash` is of `hashPassword`, made outside of the
   * transaction because it takes 25 ms.
   * @throws `user_login_exists`, `user_email_exists`; also when the text is the other login name of somebody
   */
  async create(
    trx: Knex.Transaction,
    given: NewUser,
    passwordHash: string | null,
    networkId: number,
  ): Promise<number> {
    await this.#refuseTaken(trx, 'email', given.login, 0, 'user_login_exists');
    await this.#refuseTaken(trx, 'login', given.email, 0, 'user_email_exists');
    const { login, email, first_name = '', last_name = '', locale = 'en' } = given;
    const display_name = given.display_name || `${first_name} ${last_name}`.trim() || login;
    const base = sanitizeSlug(login, nicenameLength) || 'user';
    const row = { login, email, password_hash: passwordHash, first_name, last_name, display_name, locale };
    return writing(async () => {
      for (let number = 1; ; number += 1) {
        const nicename = number === 1 ? base : `${base}-${number}`;
        const id = await this.#store.insert(trx, { ...row, nicename, network_id: networkId });
        if (id !== null) return id;
      }
    });
  }

  /** Locks accounts until the transaction ends: what is read of them then stays true. Unknown ids are no matter. */
  async lock(trx: Knex.Transaction, ids: readonly (number | null)[]): Promise<void> {
    await this.#store.lock(
      trx,
      ids.filter((id) => id !== null),
    );
  }

  /** Whether this is still the user's password; if so it stays until the transaction ends. */
  passwordHolds(trx: Knex.Transaction, id: number, passwordHash: string): Promise<boolean> {
    return this.#store.passwordHolds(trx, id, passwordHash);
  }

  /**
   * Writes the given fields of an account. A new password or e-mail ends its other sessions, a new password also
   * its application passwords.
   * @throws `user_email_exists`
   */
  async change(
    trx: Knex.Transaction,
    call: Call,
    id: number,
    given: UserChanges,
    passwordHash: string | undefined,
  ): Promise<void> {
    const { email, display_name, first_name, last_name, locale } = given;
    if (email !== undefined) await this.#refuseTaken(trx, 'login', email, id, 'user_email_exists');
    const changes = { email, display_name, first_name, last_name, locale, password_hash: passwordHash };
    const present = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (present.length === 0) return;
    await writing(() => this.#store.update(trx, id, Object.fromEntries(present) as Partial<UserColumns>));
    if (email !== undefined || passwordHash !== undefined) await this.#sessions.endOthers(trx, call, id);
    if (passwordHash !== undefined) await this.#applicationPasswords.revokeAll(trx, id);
  }

  ownsPosts(sql: Knex, id: number): Promise<boolean> {
    return this.#store.ownsPosts(sql, id);
  }

  /** Removes the account with its roles, sessions and passwords; its posts go to `reassign`. */
  async remove(trx: Knex.Transaction, id: number, reassign: number | null): Promise<void> {
    if (reassign !== null) await this.#store.reassignPosts(trx, id, reassign);
    await this.#store.remove(trx, id);
  }

  /** A login of one and an e-mail of another may not be the same text: both are typed into one field. */
  async #refuseTaken(
    sql: Knex,
    column: 'login' | 'email',
    text: string,
    except: number,
    code: 'user_login_exists' | 'user_email_exists',
  ): Promise<void> {
    if (await this.#store.isTaken(sql, column, text.toLowerCase(), except)) fail(code);
  }
}

/** For `create` and `change`: the stored form of a password. */
export { hashPassword };

async function writing<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'users_login')) return fail('user_login_exists');
    if (isUniqueViolation(error, 'users_email')) return fail('user_email_exists');
    throw error;
  }
}
