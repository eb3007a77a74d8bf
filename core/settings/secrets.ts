import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What a secret reads as, and what leaves it unchanged when written. */
export const maskedSecret = '********';

/** A text as it is stored when nobody may read it in the database. */
export interface Sealed {
  readonly sealed: string;
}

/** Keeps texts so that a copy of the database without the installation's secret tells nothing of them. */
export class Secrets {
  readonly #key: Buffer;

  /** @param key 32 bytes, for nothing else */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** AES-256-GCM: nonce, tag and text in base64. No two results are alike. */
  seal(text: string): Sealed {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64') };
  }

  /** The sealed text, or null when it was sealed under another secret. */
  open(value: unknown): string | null {
    if (typeof value !== 'object' || value === null || !('sealed' in value)) return null;
    const bytes = Buffer.from(String(value.sealed), 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}

/** Keys for each purpose, derived from the installation's secret: one leaked use opens no other. */
export class Keys {
  readonly #secret: string;
  readonly #settings: Secrets;

  constructor(secret: string) {
    this.#secret = secret;
    this.#settings = new Secrets(this.derive('settings'));
  }

  /** 32 bytes for one purpose (HKDF-SHA256). */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, 'lyceum', purpose, 32));
  }
  /** Seals a secret setting, or an answer that is kept to be repeated. */
  seal(text: string): Sealed {
    return this.#settings.seal(text);
  }

  /** What `seal` sealed, or null when it was sealed under another secret. */
  open(value: unknown): string | null {
    return this.#settings.open(value);
  }
}
