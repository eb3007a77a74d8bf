import type { ByteRange } from './storage.ts';

/** Throws a `RangeError` unless the range is two whole numbers in order. */
export function checkRange({ start, end }: ByteRange): void {
  if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end)) {
    throw new RangeError('A range of bytes is two whole numbers in order.');
  }
}

/**
 * What a `Range` header asks of a file of `bytes` bytes, by RFC 9110: one range; `unsatisfiable` when it
 * lies past the end; null when the header is to be ignored: another unit, nonsense, or several ranges,
 * which a server may answer with the whole file.
 */
export function parseRange(header: string, bytes: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header);
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') return suffix(Number(last), bytes);
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return null;
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: Math.min(end, bytes - 1) };
}

function suffix(length: number, bytes: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || bytes === 0) return 'unsatisfiable';
  return { start: Math.max(0, bytes - length), end: bytes - 1 };
}
