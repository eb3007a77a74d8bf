import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { fail } from '../api/errors.ts';
import type { Database } from '../db/database.ts';
import { forgetExpiredCounters } from './rate-limit-store.ts';

/** How often something may happen in how long. */
export interface RateLimit {
  /** Name of the limit; keys of different limits never meet. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

interface Consumed {
  readonly msBeforeNext: number;
  readonly consumedPoints: number;
}

/** Counters that all processes share: kept in PostgreSQL, changed in one statement. */
export class RateLimits {
  readonly #db: Database;
  readonly #limiters = new Map<string, RateLimiterPostgres>();

  constructor(db: Database) {
    this.#db = db;
  }

  #limiter(limit: RateLimit): RateLimiterPostgres {
    // A limit may differ by site: its counters are found by its name, what they may reach is said each time.
    const kind = `${limit.name} ${limit.points} ${limit.seconds}`;
    const kept = this.#limiters.get(kind);
    if (kept) return kept;
    const limiter = new RateLimiterPostgres({
      storeClient: this.#db.knex,
      storeType: 'knex',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.seconds,
    });
    this.#limiters.set(kind, limiter);
    return limiter;
  }

  /** Counts one; throws 429 `rest_too_many_requests` with `Retry-After` when there are too many. */
  async count(limit: RateLimit, key: string): Promise<void> {
    // Keys may be made up by strangers: each new one pays for old ones.
    await forgetExpiredCounters(this.#db.knex, Date.now());
    try {
      await this.#limiter(limit).consume(key);
    } catch (refused) {
      if (refused instanceof Error) throw refused;
      tooMany((refused as Consumed).msBeforeNext);
    }
  }

  /** Throws the same 429 when the limit is used up, without counting. */
  async ask(limit: RateLimit, key: string): Promise<void> {
    const found = await this.#limiter(limit).get(key);
    if (found && found.consumedPoints >= limit.points) tooMany(found.msBeforeNext);
  }

  /** Takes one back: the attempt was a right one. */
  async giveBack(limit: RateLimit, key: string): Promise<void> {
    await this.#limiter(limit).reward(key);
  }

  /** Forgets the key. */
  async clear(limit: RateLimit, key: string): Promise<void> {
    await this.#limiter(limit).delete(key);
  }
}

function tooMany(msBeforeNext: number): never {
  const retry_after = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return fail('rest_too_many_requests', {
    data: { retry_after },
    headers: { 'Retry-After': String(retry_after) },
  });
}
