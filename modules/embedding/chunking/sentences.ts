const enders = new Set('.!?…。！？');
const closers = new Set('"\'»”’)]');
const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character);

/**
 * The text cut behind every sentence: a closing mark, with quotes and brackets that follow it, before white space.
 * Joined by nothing the pieces are the text again. One pass.
 */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const ends = enders.has(text.charAt(at));
    at += 1;
    if (!ends) continue;
    while (at < text.length && (enders.has(text.charAt(at)) || closers.has(text.charAt(at)))) at += 1;
    if (!isSpace(text[at])) continue;
    while (isSpace(text[at])) at += 1;
    found.push(text.slice(from, at));
    from = at;
  }
  if (from < text.length) found.push(text.slice(from));
  return found;
}
