import { createHmac, timingSafeEqual } from 'node:crypto';

/** Opens the files of one attachment until it expires. Signed, not secret: the numbers can be read. */
export interface Grant {
  readonly attachmentId: number;
  /** Unix time in seconds. `readGrant` does not look at the clock: the caller compares. */
  readonly expires: number;
  /** A number of the attachment; when the attachment's changes, all grants before it are void. */
  readonly epoch: number;
}

/** Three numbers of 32 bits, then 128 bits of the HMAC. */
const NUMBERS_BYTES = 12;
const MAC_BYTES = 16;
const FORM = /^[A-Za-z0-9_-]{38}$/;

/** The installation has one key for several kinds of tokens: none may pass for another. */
const PURPOSE = 'lyceum file grant 1\n';

/** The path segment, 38 characters, for `/files/~{grant}/…`. Throws a `RangeError` unless all are whole numbers of 32 bits. */
export function signGrant(grant: Grant, key: Buffer): string {
  const { attachmentId, expires, epoch } = grant;
  // Buffer would write a number that is none, or a broken one, without a word.
  if (![attachmentId, expires, epoch].every(Number.isInteger))
    throw new RangeError('A grant holds whole numbers.');
  const numbers = Buffer.alloc(NUMBERS_BYTES);
  numbers.writeUInt32BE(attachmentId, 0);
  numbers.writeUInt32BE(expires, 4);
  numbers.writeUInt32BE(epoch, 8);
  return Buffer.concat([numbers, mac(numbers, key)]).toString('base64url');
}

/** The grant, when `signGrant` made this very text with this key; null for anything else. In constant time. */
export function readGrant(text: string, key: Buffer): Grant | null {
  if (!FORM.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // The last character has bits to spare: without this, 16 texts would be the same grant.
  if (bytes.toString('base64url') !== text) return null;
  const numbers = bytes.subarray(0, NUMBERS_BYTES);
  if (!timingSafeEqual(bytes.subarray(NUMBERS_BYTES), mac(numbers, key))) return null;
  return {
    attachmentId: numbers.readUInt32BE(0),
    expires: numbers.readUInt32BE(4),
    epoch: numbers.readUInt32BE(8),
  };
}

function mac(numbers: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(PURPOSE).update(numbers).digest().subarray(0, MAC_BYTES);
}
