/** How a text is read: as it is, or as the source of JSON, where characters may stand as escapes. */
export type TextForm = 'plain' | 'json';

/** What a `local://` in a text may mean: of several paths the first that is known. */
interface Reference {
  /** Where it begins in the text. */
  readonly from: number;
  readonly paths: readonly { readonly path: string; readonly to: number }[];
}

/** Longest path, in bytes and so in characters. */
const longestPath = 255;

const marks = { plain: /local:\/\//g, json: /local:(?:\\?\/){2}/g } as const;

/** Never part of a path that is named: quotes, tags, backslashes, control characters. */
const endings = new Set([...'"\'<>`\\'].map((one) => one.charCodeAt(0)));
const isHardEnd = (code: number): boolean =>
  code < 0x20 || (code >= 0x7f && code <= 0x9f) || endings.has(code);
/** Part of one only where it fills its quotes: `url(local://a.css)`, `local://a.png 2x, local://b.pdf#page=2`. */
const softEnd = /[\s()[\]{},;?#&|*!]/;
const punctuation: ReadonlySet<string> = new Set(['.', ':', ',']);

const slash = 0x2f;

/** What follows a mark up to an end: its characters as they are meant, and where each ends in the text. */
interface Stretch {
  readonly meant: string;
  readonly end: (length: number) => number;
}

const escapes = /\\(?:\/|u([0-9a-fA-F]{4}))/y;

/** The character that an escape stands for; null where it is none that a path may have. */
function escapeAt(text: string, at: number): { readonly character: string; readonly to: number } | null {
  escapes.lastIndex = at;
  const found = escapes.exec(text);
  if (!found) return null;
  const code = found[1];
  const character = code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16));
  return isHardEnd(character.charCodeAt(0)) ? null : { character, to: at + found[0].length };
}

/** No path has two slashes in a row; the next mark has, so that no character is read for two of them. */
function stretchFrom(text: string, start: number, form: TextForm): Stretch {
  let at = start;
  while (at < text.length && at - start <= longestPath) {
    const code = text.charCodeAt(at);
    if (isHardEnd(code) || (code === slash && text.charCodeAt(at + 1) === slash)) break;
    at += 1;
  }
  const plain = text.slice(start, at);
  const hasEscape = form === 'json' && text.charAt(at) === '\\' && plain.length <= longestPath;
  return hasEscape ? escapedStretch(text, start, at) : { meant: plain, end: (length) => start + length };
}

/** The same where escapes are among the characters. @param from where the first one is */
function escapedStretch(text: string, start: number, from: number): Stretch {
  const ends = Array.from({ length: from - start }, (_none, index) => start + index + 1);
  let meant = text.slice(start, from);
  for (let at = from; meant.length <= longestPath; ) {
    const character = text.charAt(at);
    const next = character === '\\' ? escapeAt(text, at) : { character, to: at + 1 };
    if (character === '' || !next || (character !== '\\' && isHardEnd(character.charCodeAt(0)))) break;
    if (next.character === '/' && meant.endsWith('/')) break;
    meant += next.character;
    ends.push(next.to);
    at = next.to;
  }
  return { meant, end: (length) => ends[length - 1] ?? start };
}

function withoutEscapes(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Each reference of a text, in order. Linear: what one reads, no other reads again. */
function* referencesIn(text: string, form: TextForm): Iterable<Reference> {
  for (const { index, 0: mark } of text.matchAll(marks[form])) {
    const { meant, end } = stretchFrom(text, index + mark.length, form);
    const soft = meant.search(softEnd);
    const short = soft < 0 ? meant.length : soft;
    let bare = short;
    while (bare > 0 && punctuation.has(meant.charAt(bare - 1))) bare -= 1;
    const paths: { path: string; to: number }[] = [];
    for (const length of bare === meant.length ? [bare] : new Set([meant.length, short, bare])) {
      const path = meant.slice(0, length);
      const to = end(length);
      paths.push({ path, to });
      if (path.includes('%') && withoutEscapes(path) !== path) paths.push({ path: withoutEscapes(path), to });
    }
    yield { from: index, paths };
  }
}

/** Every path that the text may name. */
export function pathsNamed(text: string, form: TextForm): Set<string> {
  const named = new Set<string>();
  for (const { paths } of referencesIn(text, form)) for (const { path } of paths) named.add(path);
  return named;
}

/** A text with addresses in the place of the files that it names. */
export interface ResolvedText {
  readonly text: string;
  /** Paths that were known. */
  readonly named: ReadonlySet<string>;
  /** The others, as they most likely were meant. */
  readonly unknown: readonly string[];
}

/** Paths that are told as unknown. */
const mostUnknown = 100;

/**
 * Puts addresses in the place of every `local://<path>`; all else stays byte for byte.
 * @param addressOf of a file by its path; null for none. Characters that JSON and HTML take as they are.
 */
export function resolveLocal(
  text: string,
  form: TextForm,
  addressOf: (path: string) => string | null,
): ResolvedText {
  const pieces: string[] = [];
  const named = new Set<string>();
  const unknown: string[] = [];
  let done = 0;
  for (const { from, paths } of referencesIn(text, form)) {
    const known = paths.find(({ path }) => addressOf(path) !== null);
    if (!known) {
      if (unknown.length < mostUnknown) unknown.push(paths.at(-1)?.path ?? '');
      continue;
    }
    pieces.push(text.slice(done, from), addressOf(known.path) ?? '');
    done = known.to;
    named.add(known.path);
  }
  return { text: done === 0 ? text : pieces.join('') + text.slice(done), named, unknown };
}
