import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { AnswerCookie } from '../api/answers.ts';
import type { Call } from '../api/call.ts';
import { sessionCookie, sha256 } from './credentials.ts';
import type { Nonces } from './nonces.ts';
import { SessionStore } from './session-store.ts';

const day = 24 * 60 * 60;

/** Seconds that a session lives, however much it is used. */
const lifetime = { short: 2 * day, remembered: 14 * day };

/** What the client gets to begin a session with. */
export interface NewSession {
  readonly cookie: AnswerCookie;
  readonly nonce: string;
}

/** Takes the cookie away from the client. */
export const endedCookie: AnswerCookie = { name: sessionCookie, value: '', maxAge: 0 };

/** Cookie sessions: a random token at the client, its SHA-256 here, looked up with every request. */
export class Sessions {
  readonly #nonces: Nonces;
  readonly #store = new SessionStore();

  constructor(nonces: Nonces) {
    this.#nonces = nonces;
  }

  /** Begins a session of the user; one whose cookie came with the request ends, whosever it was. */
  async begin(sql: Knex, call: Call, userId: number, remember: boolean): Promise<NewSession> {
    const token = randomBytes(32).toString('base64url');
    const token_hash = sha256(token);
    const maxAge = remember ? lifetime.remembered : lifetime.short;
    if (call.credential.session) await this.#store.remove(sql, call.credential.session);
    const row = { token_hash, user_id: userId, remember, ip: call.ip, user_agent: call.userAgent };
    await this.#store.insert(sql, row, maxAge);
    return {
      cookie: { name: sessionCookie, value: token, maxAge },
      nonce: this.#nonces.fresh(userId, token_hash),
    };
  }

  /** When the session that names the caller ends, RFC 3339; null when something else names him. */
  async expiresAt(sql: Knex, call: Call): Promise<string | null> {
    const { kind, session } = call.credential;
    return kind === 'session' && session ? this.#store.expiry(sql, session) : null;
  }

  /** Ends the session whose cookie came with the request. */
  async end(sql: Knex, call: Call): Promise<void> {
    if (call.credential.session) await this.#store.remove(sql, call.credential.session);
  }

  /** Ends the user's sessions; his own request keeps the one that it was signed with. */
  async endOthers(sql: Knex, call: Call, userId: number): Promise<void> {
    const own = call.user?.id === userId && call.credential.kind === 'session';
    await this.#store.removeOthers(sql, userId, own ? call.credential.session : null);
  }

  /** A fresh nonce of the session that names the caller; null when something else names him. */
  nonce(call: Call): string | null {
    const { kind, session } = call.credential;
    if (!call.user || !session || kind === 'application-password') return null;
    return this.#nonces.fresh(call.user.id, session);
  }
}
