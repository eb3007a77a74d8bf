import { createHmac } from 'node:crypto';
import { fail } from '../api/errors.ts';
import type { Keys } from '../settings/secrets.ts';
import type { IdempotencyStore, KeyOwner } from './idempotency-store.ts';
import { type Finished, StreamAnswer } from './write-answer.ts';

export interface IdempotentRequest extends KeyOwner {
  readonly body: unknown;
}

type Outcome = Finished | StreamAnswer;

/** 1–255 printable characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text);

/**
 * Keeps the first answer to a key for 24 hours and gives it again instead of acting again. Bodies may hold
 * passwords and answers secrets that are shown once: the one is kept as a keyed hash, the other sealed.
 */
export class Idempotency {
  readonly #store: IdempotencyStore;
  readonly #keys: Keys;
  readonly #hashKey: Buffer;

  constructor(store: IdempotencyStore, keys: Keys) {
    this.#store = store;
    this.#keys = keys;
    this.#hashKey = keys.derive('idempotency');
  }

  /**
   * Runs `act` once per key. What it throws is thrown on, and kept as `refused` makes an answer of it.
   * @throws `idempotency_key_reused`, `idempotency_in_progress`
   */
  async run(
    request: IdempotentRequest,
    act: () => Promise<Outcome>,
    refused: (error: unknown) => Finished,
  ): Promise<Outcome> {
    const earlier = await this.#earlier(request);
    if (earlier) return earlier;
    let outcome: Outcome;
    try {
      outcome = await act();
    } catch (error) {
      await this.#keep(request, refused(error));
      throw error;
    }
    await this.#keep(request, outcome);
    return outcome;
  }

  /** The kept answer, or null when the key is now ours. */
  async #earlier(request: IdempotentRequest): Promise<Finished | null> {
    const { body, ...owner } = request;
    const hash = createHmac('sha256', this.#hashKey)
      .update(JSON.stringify(body ?? null))
      .digest();
    if (await this.#store.claim(owner, hash)) return null;
    const kept = await this.#store.find(owner);
    // Freed between the two statements.
    if (!kept) return this.#earlier(request);
    if (!kept.body_hash.equals(hash)) fail('idempotency_key_reused');
    if (kept.answer === null) fail('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
    const opened = this.#keys.open({ sealed: kept.answer });
    if (opened === null) throw new Error('A kept answer was sealed under another secret key.');
    return JSON.parse(opened) as Finished;
  }

  /** An answer that says to come again later, and a stream, are not kept: the key is free for the next try. */
  async #keep({ body: _body, ...owner }: IdempotentRequest, outcome: Outcome): Promise<void> {
    if (outcome instanceof StreamAnswer || outcome.status === 503 || outcome.headers['Retry-After']) {
      await this.#store.free(owner);
      return;
    }
    await this.#store.keep(owner, this.#keys.seal(JSON.stringify(outcome)).sealed);
  }
}
