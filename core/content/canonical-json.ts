import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The one text that a JSON value has by RFC 8785 (JCS), however its keys were ordered and its numbers written. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('What is no JSON value has no canonical text.');
  return text;
}

/** SHA-256 of a JSON value's canonical text, 64 lower-case hex digits: equal for values that are equal. */
export const canonicalHash = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex');
