import { transliterate } from 'transliteration';

/** Longest slug. */
export const maxSlug = 200;

/**
 * A slug of any text: transliterated (Cyrillic included), lower case, `[a-z0-9-]`, no dash at either end.
 * Empty when nothing is left. Not made unique.
 */
export function sanitizeSlug(text: string, longest: number): string {
  // Transliteration of a 5 MiB text would cost seconds; no more than this can survive the cut.
  const plain = transliterate(text.slice(0, longest * 4)).toLowerCase();
  return plain
    .replaceAll(/['’ʹ]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest + 1)
    .replace(/^-/, '')
    .slice(0, longest)
    .replace(/-$/, '');
}

/** `base`, or with the number as `-2`, cut so that the whole stays within the limit. */
export function numberedSlug(base: string, number: number): string {
  if (number < 2) return base;
  const tail = `-${number}`;
  return `${base.slice(0, maxSlug - tail.length)}${tail}`;
}
