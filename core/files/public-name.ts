import { transliterate } from 'transliteration';

/** Longest name that becomes part of an address. */
const longestName = 150;

/** What of a label is looked at: transliteration of a long one would cost, and no more could survive the cut. */
const longestLabel = 4 * longestName;

/**
 * A name for an address made of a label: transliterated, lower case, `[a-z0-9._-]`, at most 150 characters with its
 * extension. `file` stands where nothing is left.
 * @param label with or without the extension
 * @param extension lower case, without dot
 */
export function publicName(label: string, extension: string): string {
  const ending = `.${extension}`;
  const stem = label.toLowerCase().endsWith(ending) ? label.slice(0, -ending.length) : label;
  const plain = transliterate(stem.slice(0, longestLabel))
    .toLowerCase()
    .replaceAll(/['’ʹ]/g, '')
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/\.{2,}/g, '.');
  return joined(plain, '', ending);
}

/** The name, or with the number before its extension as `-2`, within the same length. */
export function numberedName(name: string, number: number): string {
  if (number < 2) return name;
  const dot = name.lastIndexOf('.');
  return joined(name.slice(0, dot), `-${number}`, name.slice(dot));
}

function joined(stem: string, tail: string, ending: string): string {
  const cut = trimmed(trimmed(stem).slice(0, longestName - tail.length - ending.length));
  return `${cut || 'file'}${tail}${ending}`;
}

/** Without punctuation at its ends. By hand, since a regular expression would look at each run again and again. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && '-._'.includes(text.charAt(start))) start += 1;
  while (end > start && '-._'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
