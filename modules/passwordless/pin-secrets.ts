import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Keys } from '@lyceum/core';

/** Codes and the keys under which logins are counted. Without the installation's secret neither can be searched. */
export class PinSecrets {
  readonly #logins: Buffer;
  readonly #pins: Buffer;

  constructor(keys: Keys) {
    this.#logins = keys.derive('passwordless logins');
    this.#pins = keys.derive('passwordless pins');
  }

  /** Of an account, or of a text that names none. */
  loginKey(userId: number | null, text: string): Buffer {
    // No text begins with NUL: none is taken for an account.
    const subject = userId === null ? `text:${text}` : `\0user:${userId}`;
    return createHmac('sha256', this.#logins).update(subject).digest();
  }

  /** Six digits, each code as likely as any other. */
  draw(): string {
    return String(randomInt(1_000_000)).padStart(6, '0');
  }

  hash(challengeId: string, userId: number, pin: string): Buffer {
    return createHmac('sha256', this.#pins).update(`${challengeId}:${userId}:${pin}`).digest();
  }

  /** In constant time, and the same work where there is no code. */
  fits(stored: Buffer | null, challengeId: string, userId: number, pin: string): boolean {
    const given = this.hash(challengeId, userId, pin);
    return timingSafeEqual(stored ?? Buffer.alloc(given.length), given) && stored !== null;
  }
}
