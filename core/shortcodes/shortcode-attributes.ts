/** What the editors of WordPress put in the place of spaces. */
const oddSpaces = /[\u00a0\u200b]+/g;

/** A name with a value in double, single or no quotes; else a value alone, in the same three forms. */
const attribute =
  /([\w-]+)\s*=\s*"([^"]*)"(?:\s|$)|([\w-]+)\s*=\s*'([^']*)'(?:\s|$)|([\w-]+)\s*=\s*([^\s'"]+)(?:\s|$)|"([^"]*)"(?:\s|$)|'([^']*)'(?:\s|$)|(\S+)(?:\s|$)/g;

const slashed = /\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g;
const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  v: '\v',
  b: '\b',
  f: '\f',
};

/** Backslashes as C has them, which WordPress takes out of every value. */
const withoutSlashes = (text: string): string =>
  text.replaceAll(slashed, (_whole, code: string) => {
    if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    return letters[code] ?? code;
  });

/** False for a value in which a tag of HTML begins and does not end: it would take in what follows. */
function isWhole(value: string): boolean {
  for (let at = value.indexOf('<'); at >= 0; ) {
    const end = value.indexOf('>', at);
    if (end < 0) return false;
    at = value.indexOf('<', end);
  }
  return true;
}

/**
 * The attributes of a shortcode from the text behind its tag: names in lower case, the last of two with one name, values
 * without a name under their place among those without. Linear: no quote is looked for twice.
 */
export function readAttributes(text: string): Readonly<Record<string, string>> {
  const read = Object.create(null) as Record<string, string>;
  let place = 0;
  for (const [, ...parts] of text.replaceAll(oddSpaces, ' ').matchAll(attribute)) {
    const named = [0, 2, 4].find((at) => parts[at] !== undefined);
    const name = named === undefined ? String(place++) : (parts[named] ?? '').toLowerCase();
    const value = named === undefined ? parts.slice(6).find((part) => part !== undefined) : parts[named + 1];
    const plain = withoutSlashes(value ?? '');
    read[name] = isWhole(plain) ? plain : '';
  }
  return read;
}
