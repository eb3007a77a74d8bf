import { createHash } from 'node:crypto';
import { FileTooLarge } from './storage-errors.ts';

/** Counts and hashes the bytes of one write, and stops it past its limit. */
export class Meter {
  readonly #limit: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  /** `limit` in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws `FileTooLarge` with the first byte past the limit. */
  count(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    // Turned round, so that a limit that is no number lets nothing through.
    if (!(this.#bytes <= this.#limit)) throw new FileTooLarge(this.#limit);
    this.#hash.update(chunk);
  }

  /** The totals, as in `StoredFile`; to be called once, at the end. */
  result(): { readonly bytes: number; readonly sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
