/**
 * Pieces of URLs as they stand in texts: plain, with the backslashes of a JSON text before each slash,
 * percent-encoded as a value of a query, once or more, or as HTML that escapes its slashes.
 */

const slashHere = /\\*\/|%(?:25)*2F|&(?:#47|#x2F|sol);/iy;
const portHere = /(?::|%(?:25)*3A|&(?:#58|#x3A|colon);)\d{1,5}(?!\d)/iy;
const slashEntityAtEnd = /&(?:#47|#x2F|sol);$/i;
const colonEntityAtEnd = /&(?:#58|#x3A|colon);$/i;
const portAtEnd = /(?::|%(?:25)?3A|&(?:#58|#x3A|colon);)\d{1,5}$/i;
const segmentHere = /[a-z0-9-]{1,63}/y;
const escapeHere = /%(?:25)*([0-9A-F]{2})/iy;

/** Where a match at this very place ends; -1 without one. */
function ends(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** End of the slash that begins at `at`; -1 when there is none. */
export const slashEnd = (text: string, at: number): number => ends(slashHere, text, at);

/** End of the port that begins with its colon at `at`; `at` itself when there is none. */
export const portEnd = (text: string, at: number): number => Math.max(ends(portHere, text, at), at);

/** Start of what ends at `at` and is this character, percent-encoded, as an entity or plain; -1 when it is something else. */
function startOf(character: string, code: string, entity: RegExp, text: string, at: number): number {
  if (text[at - 1] === character) return at - 1;
  if (text[at - 1] === ';') {
    const written = entity.exec(text.slice(Math.max(0, at - 8), at))?.[0];
    return written === undefined ? -1 : at - written.length;
  }
  if (text.slice(at - 2, at).toUpperCase() !== code) return -1;
  let start = at - 2;
  while (text.slice(start - 2, start) === '25') start -= 2;
  return text[start - 1] === '%' ? start - 1 : -1;
}

/** Start of the slash that ends at `at`, its backslashes included; -1 when there is none. */
export function slashStart(text: string, at: number): number {
  let start = startOf('/', '2F', slashEntityAtEnd, text, at);
  if (text[start] === '/') while (text[start - 1] === '\\') start -= 1;
  return start;
}

/** Start of the port that ends at `at`, its colon included; `at` itself when there is none. */
export const portStart = (text: string, at: number): number =>
  at - (portAtEnd.exec(text.slice(Math.max(0, at - 13), at))?.[0].length ?? 0);

/** Start of the colon that ends at `at`; -1 when there is none. */
export const colonStart = (text: string, at: number): number =>
  startOf(':', '3A', colonEntityAtEnd, text, at);

const jsonEscapeHere = /\\+u([0-9A-F]{4})/iy;
const jsonEscapeAtEnd = /\\(?:[bfnrt]|u([0-9A-F]{4}))$/i;
const percentAtEnd = /%(?:25)?([0-7][0-9A-F])$/i;

const characterOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** The character at a place, one that JSON wrote as a number included; empty at the end. */
function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  if (point === undefined) return '';
  if (point !== 0x5c) return String.fromCodePoint(point);
  jsonEscapeHere.lastIndex = at;
  const hex = jsonEscapeHere.exec(text)?.[1];
  return hex ? characterOf(hex) : '\\';
}

/**
 * The character that ends at `at`, read through the escapes of JSON and of queries; empty at the beginning. So the "n"
 * of a line break and the "2" of a quote (`\n`, `\u0022`, `%22`) are not taken for letters of a word.
 */
export function characterBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - 6), at);
  const json = jsonEscapeAtEnd.exec(near);
  if (json) return json[1] ? characterOf(json[1]) : '\n';
  const percent = percentAtEnd.exec(near)?.[1];
  return percent ? characterOf(percent) : near.slice(-1);
}

/** The character that is percent-encoded at a place, whatever its case or how often; null without one. */
export function decodedAt(text: string, at: number): string | null {
  escapeHere.lastIndex = at;
  const code = escapeHere.exec(text)?.[1];
  return code === undefined ? null : characterOf(code);
}

/** A percent-encoded `?`, `#`, `&`, quote, blank or bracket: the encoded URL ends here, or its path does. */
function endsValue(text: string, at: number): boolean {
  escapeHere.lastIndex = at;
  const code = escapeHere.exec(text)?.[1]?.toUpperCase();
  return (
    code !== undefined && ['3F', '23', '26', '22', '27', '20', '3C', '3E', '0A', '0D', '5C'].includes(code)
  );
}

const wordOfUrl = /[\p{L}\p{N}\p{M}_~%@$+=-]/u;
const punctuation = new Set(["'", '(', ')', ',', ';', '.', ':', '!', '*']);

/**
 * Whether the name of a host, or a segment of a path, that ends at `at` is whole.
 * @param encoded whether what is percent-encoded behind it may end it
 */
export function isWhole(text: string, at: number, encoded: boolean): boolean {
  const next = characterAt(text, at);
  if (next === '%') return ends(slashHere, text, at) > at || (encoded && endsValue(text, at));
  if (wordOfUrl.test(next)) return false;
  if (!punctuation.has(next)) return true;
  // The full stop of a sentence, but not that of "lab.html", "lab./" or "a.example.org", nor "a.example:password@other".
  const behind = next === '.' ? dotsEnd(text, at) : at + 1;
  return slashEnd(text, behind) < 0 && !wordOfUrl.test(characterAt(text, behind));
}

/** An ellipsis ends a sentence as one full stop does. */
function dotsEnd(text: string, at: number): number {
  let end = at;
  while (text[end] === '.') end += 1;
  return end;
}

/** The paths of sites that could begin a URL's path, shortest first, and where each ends in the text. */
export interface SitePaths {
  readonly paths: readonly string[];
  /** Behind the last character of the path, its closing slash left out. */
  readonly ends: readonly number[];
}

/** The longest site path has this many segments; one more than a network's. */
const mostSegments = 4;

/** Reads what follows an authority that ends at `at`. */
export function readSitePaths(text: string, at: number): SitePaths {
  const paths = ['/'];
  const found = [at];
  for (let end = at; paths.length <= mostSegments; ) {
    const from = slashEnd(text, end);
    const to = from < 0 ? -1 : ends(segmentHere, text, from);
    if (to < 0 || !isWhole(text, to, text[end] === '%')) break;
    paths.push(`${paths.at(-1)}${text.slice(from, to)}/`);
    found.push(to);
    end = to;
  }
  return { paths, ends: found };
}

const fileSegmentHere = /[A-Za-z0-9_~-][A-Za-z0-9._~-]*/y;

/** A file below the `files/` of a site: its path, and where that ends in the text. Null when none is named. */
export function readFilePath(
  text: string,
  at: number,
): { readonly path: string; readonly end: number } | null {
  const segments: string[] = [];
  let end = at;
  for (let from = at; ; ) {
    const to = ends(fileSegmentHere, text, from);
    if (to < 0) break;
    segments.push(text.slice(from, to));
    end = to;
    from = slashEnd(text, to);
    if (from < 0) break;
  }
  if (segments.length === 0) return null;
  const path = segments.join('/');
  // The full stop behind a name ends a sentence.
  const bare = path.replace(/\.+$/, '');
  return { path: bare, end: end - (path.length - bare.length) };
}
