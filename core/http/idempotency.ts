import { createHash } from 'node:crypto';
import { fail } from '../api/errors.ts';
import type { Database } from '../db/database.ts';
import type { Finished } from './write-answer.ts';

/** A request that still runs after this long lost its process; longer than any time limit. */
const leaseSeconds = 330;

interface StoredAnswer {
  readonly body_hash: Buffer;
  readonly status: number | null;
  readonly headers: Record<string, string> | null;
  readonly body: string | null;
}

export interface IdempotentRequest {
  readonly userId: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: unknown;
}

/** 1–255 printable characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text);

/** Keeps the first answer to a key for 24 hours and gives it again instead of acting again. */
export class Idempotency {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Runs `act` once per key; a coded refusal is an answer too, an unexpected error frees the key. */
  async run(
    request: IdempotentRequest,
    act: () => Promise<Finished>,
    refused: (error: unknown) => Finished | null,
  ): Promise<Finished> {
    const hash = createHash('sha256')
      .update(JSON.stringify(request.body ?? null))
      .digest();
    const earlier = await this.#claim(request, hash);
    if (earlier) return earlier;
    try {
      const finished = await act();
      await this.#keep(request, finished);
      return finished;
    } catch (error) {
      const answer = refused(error);
      if (answer) await this.#keep(request, answer);
      else await this.#row(request).delete();
      throw error;
    }
  }

  #row({ userId, method, path, key }: IdempotentRequest) {
    return this.#db.knex('idempotency_keys').where({ user_id: userId, method, path, key });
  }

  /** The stored answer, or null when the key is now ours. One statement decides. */
  async #claim(request: IdempotentRequest, hash: Buffer): Promise<Finished | null> {
    const { rows } = (await this.#db.knex.raw(
      `insert into idempotency_keys as k (user_id, method, path, key, body_hash, expires_at)
       values (?, ?, ?, ?, ?, now() + interval '24 hours')
       on conflict (user_id, method, path, key) do update
         set body_hash = excluded.body_hash, started_at = now(), expires_at = excluded.expires_at,
           status = null, headers = null, body = null
         where k.expires_at < now() or (k.status is null and k.started_at < now() - make_interval(secs => ?))
       returning 1`,
      [request.userId, request.method, request.path, request.key, hash, leaseSeconds],
    )) as { rows: unknown[] };
    if (rows.length > 0) return null;
    const stored = (await this.#row(request).first()) as StoredAnswer | undefined;
    if (!stored) return this.#claim(request, hash);
    if (!stored.body_hash.equals(hash)) fail('idempotency_key_reused');
    if (stored.status === null) fail('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
    return { status: stored.status, headers: stored.headers ?? {}, cookies: [], body: stored.body };
  }

  async #keep(request: IdempotentRequest, { status, headers, body }: Finished): Promise<void> {
    await this.#row(request).update({ status, headers: JSON.stringify(headers), body });
  }
}
