import { longestPointer } from './problem.ts';

/** A value's place in a document: a chain of keys from it to the root. Texts are made of it only when it is told. */
export interface Place {
  readonly above: Place | null;
  readonly key: string | number;
}

export const root: Place | null = null;

/** Keys from the root to the place. */
function keysOf(place: Place | null): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = place; at; at = at.above) keys.push(at.key);
  return keys.reverse();
}

const escaped = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** The JSON Pointer of a place; of the nearest one around it where that would be too long to read. */
export function pointerOf(place: Place | null): string {
  let pointer = '';
  for (const key of keysOf(place)) {
    const next = `${pointer}/${escaped(key)}`;
    if (next.length > longestPointer) break;
    pointer = next;
  }
  return pointer;
}

/** The order of pointers: by each key from the root on, indexes by number, a place before what lies in it. */
export function byPlace(one: Place | null, other: Place | null): number {
  const [left, right] = [keysOf(one), keysOf(other)];
  for (const [at, key] of left.entries()) {
    const against = right[at];
    if (against === undefined) return 1;
    if (key === against) continue;
    if (typeof key === 'number' && typeof against === 'number') return key - against;
    return String(key) < String(against) ? -1 : 1;
  }
  return left.length - right.length;
}
