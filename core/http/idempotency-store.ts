import type { Database } from '../db/database.ts';

/** A request that still runs after this long lost its process; longer than any time limit. */
const leaseSeconds = 330;

/** What makes a key one: two users, two paths never share it. */
export interface KeyOwner {
  readonly userId: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

export interface KeptKey {
  readonly body_hash: Buffer;
  /** Sealed; null while the first request runs. */
  readonly answer: string | null;
}

/** Rows of keys, kept for 24 hours. */
export class IdempotencyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #row({ userId, method, path, key }: KeyOwner) {
    return this.#db.knex('idempotency_keys').where({ user_id: userId, method, path, key });
  }

  /** True when the key is free, and now the caller's; one statement decides. The user's expired keys go. */
  async claim(owner: KeyOwner, bodyHash: Buffer): Promise<boolean> {
    const { rows } = (await this.#db.knex.raw(
      `with gone as (
         delete from idempotency_keys where user_id = :userId and expires_at < now()
           and (method, path, key) <> (:method, :path, :key))
       insert into idempotency_keys as k (user_id, method, path, key, body_hash, expires_at)
       values (:userId, :method, :path, :key, :bodyHash, now() + interval '24 hours')
       on conflict (user_id, method, path, key) do update
         set body_hash = excluded.body_hash, started_at = now(), expires_at = excluded.expires_at, answer = null
         where k.expires_at < now()
           or (k.answer is null and k.started_at < now() - make_interval(secs => :leaseSeconds))
       returning 1`,
      { ...owner, bodyHash, leaseSeconds },
    )) as { rows: unknown[] };
    return rows.length > 0;
  }

  async find(owner: KeyOwner): Promise<KeptKey | null> {
    return ((await this.#row(owner).first('body_hash', 'answer')) as KeptKey | undefined) ?? null;
  }

  async keep(owner: KeyOwner, answer: string): Promise<void> {
    await this.#row(owner).update({ answer });
  }

  async free(owner: KeyOwner): Promise<void> {
    await this.#row(owner).delete();
  }
}
