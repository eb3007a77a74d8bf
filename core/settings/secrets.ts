import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What a secret reads as, and what leaves it unchanged when written. */
export const maskedSecret = '********';

interface Sealed {
  readonly sealed: string;
}

/** Keys for each purpose, derived from the installation's secret: one leaked use opens no other. */
export class Keys {
  readonly #secret: string;
  readonly #settings: Buffer;

  constructor(secret: string) {
    this.#secret = secret;
    this.#settings = this.derive('settings');
  }

  /** 32 bytes for one purpose (HKDF-SHA256). */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, 'lyceum', purpose, 32));
  }

  /** AES-256-GCM: nonce, tag and text in base64. */
  seal(text: string): Sealed {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#settings, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64') };
  }

  /** The sealed text, or null when it was sealed under another secret. */
  open(value: unknown): string | null {
    if (typeof value !== 'object' || value === null || !('sealed' in value)) return null;
    const bytes = Buffer.from(String(value.sealed), 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#settings, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}
