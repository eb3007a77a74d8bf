/** Longest tag that is taken. */
export const longestTag = 35;

/** A tag of BCP 47 in the case that is usual for each part; null for what is no such tag. */
export function canonicalTag(tag: string): string | null {
  if (tag.length > longestTag) return null;
  try {
    Intl.getCanonicalLocales(tag);
  } catch {
    return null;
  }
  let isPlain = true;
  return tag
    .split('-')
    .map((part, at) => {
      const lower = part.toLowerCase();
      // What follows a single letter is an extension, which has no case of its own.
      if (part.length === 1) isPlain = false;
      if (at === 0 || !isPlain) return lower;
      if (part.length === 2) return lower.toUpperCase();
      return /^[a-z]{4}$/.test(lower) ? `${lower.charAt(0).toUpperCase()}${lower.slice(1)}` : lower;
    })
    .join('-');
}
