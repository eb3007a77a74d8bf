import { createHmac, timingSafeEqual } from 'node:crypto';

/** A nonce is good in the tick it was made in and the next: 12 to 24 hours. */
const tickMs = 12 * 60 * 60 * 1000;

/** REST nonces: an HMAC over user, session and tick, so that it dies with either. */
export class Nonces {
  readonly #key: Buffer;
  readonly #now: () => number;

  constructor(key: Buffer, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  #make(userId: number, session: Buffer, tick: number): string {
    return createHmac('sha256', this.#key)
      .update(`${userId}:${tick}:`)
      .update(session)
      .digest('base64url')
      .slice(0, 27);
  }

  /** 27 characters, 162 bits. */
  fresh(userId: number, session: Buffer): string {
    return this.#make(userId, session, Math.floor(this.#now() / tickMs));
  }

  /** In constant time. */
  isGood(nonce: string, userId: number, session: Buffer): boolean {
    const given = Buffer.from(nonce);
    const tick = Math.floor(this.#now() / tickMs);
    return [tick, tick - 1].some((candidate) => {
      const right = Buffer.from(this.#make(userId, session, candidate));
      return given.length === right.length && timingSafeEqual(given, right);
    });
  }
}
