const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  lrm: '\u200E',
  rlm: '\u200F',
};

function character(whole: string, name: string): string {
  if (!name.startsWith('#')) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
  const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isText = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isText ? String.fromCodePoint(point) : whole;
}

/** The text of a cue in one line, without markup. */
export const plainCueText = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&([A-Za-z]{2,4}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});/g, character)
    .replaceAll(/\s+/g, ' ')
    .trim();
