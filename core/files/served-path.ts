import { checkKey } from './key.ts';
import { InvalidKey } from './storage-errors.ts';

/**
 * The path of a file from that of a URL, decoded once. Null for whatever the host would not have made: dot
 * segments, empty ones, encoded slashes, NUL, characters out of range.
 */
export function readServedPath(raw: string): string | null {
  const segments = raw.split('/').map(decoded);
  if (segments.some((segment) => segment === null || segment.includes('/'))) return null;
  const path = segments.join('/');
  try {
    checkKey(path);
    return path;
  } catch (error) {
    if (error instanceof InvalidKey) return null;
    throw error;
  }
}

/**
 * The same for files whose names are of people's making: spaces, letters of any script and dots in front, too. Still
 * null for dot segments, empty ones, encoded slashes, backslashes and control characters.
 */
export function readNamedPath(raw: string): string | null {
  const segments = raw.split('/').map(decoded);
  return segments.every((segment) => segment !== null && isName(segment)) ? segments.join('/') : null;
}

const isName = (segment: string): boolean =>
  segment !== '' && segment !== '.' && segment !== '..' && !/[/\\\u0000-\u001f\u007f-\u009f]/.test(segment);

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
