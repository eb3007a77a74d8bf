import { InvalidKey } from './storage-errors.ts';

/** S3 takes 1024 bytes; the rest is left for the prefix of the bucket. */
const MAX_KEY_LENGTH = 1000;

/** The longest name of the usual file systems, so that a key good for one storage is good for both. */
const MAX_SEGMENT_LENGTH = 255;

const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/;

/**
 * Throws `InvalidKey` unless `key` is one or more segments of `[A-Za-z0-9._~-]`, joined by single slashes.
 * No segment begins with a dot, which rules out `.`, `..` and the storage's own hidden files.
 * The message never repeats the key: it may hold what a client sent.
 */
export function checkKey(key: string): void {
  if (key.length === 0) throw new InvalidKey('it is empty');
  if (key.length > MAX_KEY_LENGTH) throw new InvalidKey(`it is longer than ${MAX_KEY_LENGTH} characters`);
  for (const segment of key.split('/')) {
    if (segment.length > MAX_SEGMENT_LENGTH) {
      throw new InvalidKey(`a segment is longer than ${MAX_SEGMENT_LENGTH} characters`);
    }
    if (!SEGMENT.test(segment))
      throw new InvalidKey('a segment is empty, begins with a dot or has a character out of range');
  }
}
