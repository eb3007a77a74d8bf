import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A nonce is good in the tick it was made in and the next: 12 to 24 hours. */
const tickMs = 12 * 60 * 60 * 1000;

/** Made nonces that are kept: an HMAC costs 12 µs, and each request of a session needs its nonce twice. */
const noncesKept = 10_000;

/** REST nonces: an HMAC over user, session and tick, so that it dies with either. */
export class Nonces {
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #made = new LRUCache<string, string>({ max: noncesKept });

  constructor(key: Buffer, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  #make(userId: number, session: Buffer, tick: number): string {
    const subject = `${userId}:${tick}:${session.toString('latin1')}`;
    const made = this.#made.get(subject);
    if (made !== undefined) return made;
    const nonce = createHmac('sha256', this.#key)
      .update(`${userId}:${tick}:`)
      .update(session)
      .digest('base64url')
      .slice(0, 27);
    this.#made.set(subject, nonce);
    return nonce;
  }

  /** 27 characters, 162 bits. */
  fresh(userId: number, session: Buffer): string {
    return this.#make(userId, session, Math.floor(this.#now() / tickMs));
  }

  /** In constant time. */
  isGood(nonce: string, userId: number, session: Buffer): boolean {
    const given = Buffer.from(nonce);
    const tick = Math.floor(this.#now() / tickMs);
    const isOf = (candidate: number): boolean => {
      const right = Buffer.from(this.#make(userId, session, candidate));
      return given.length === right.length && timingSafeEqual(given, right);
    };
    return isOf(tick) || isOf(tick - 1);
  }
}
