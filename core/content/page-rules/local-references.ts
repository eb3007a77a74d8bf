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
const punctuation = /[.:,]$/;

interface Unit {
  readonly character: string;
  readonly to: number;
}

const escapes = /\\(?:\/|u([0-9a-fA-F]{4}))/y;

/** The character at a place, and where it ends; null where no path goes on. */
function unitAt(text: string, at: number, form: TextForm): Unit | null {
  const character = text.charAt(at);
  if (form === 'json' && character === '\\') {
    escapes.lastIndex = at;
    const found = escapes.exec(text);
    if (!found) return null;
    const code = found[1];
    const meant = code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16));
    return isHardEnd(meant.charCodeAt(0)) ? null : { character: meant, to: at + found[0].length };
  }
  return character === '' || isHardEnd(text.charCodeAt(at)) ? null : { character, to: at + 1 };
}

/** All that follows the mark up to an end, one character after the other. */
function unitsFrom(text: string, start: number, form: TextForm): Unit[] {
  const units: Unit[] = [];
  for (let at = start; units.length <= longestPath; ) {
    const unit = unitAt(text, at, form);
    // No path has two slashes in a row; the next mark has.
    if (!unit || (unit.character === '/' && units.at(-1)?.character === '/')) break;
    units.push(unit);
    at = unit.to;
  }
  return units;
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
    const units = unitsFrom(text, index + mark.length, form);
    const soft = units.findIndex(({ character }) => softEnd.test(character));
    const short = soft < 0 ? units.length : soft;
    let bare = short;
    while (bare > 0 && punctuation.test(units[bare - 1]?.character ?? '')) bare -= 1;
    const paths = [...new Set([units.length, short, bare])].flatMap((length) => {
      const path = units
        .slice(0, length)
        .map(({ character }) => character)
        .join('');
      const to = units[length - 1]?.to ?? index + mark.length;
      const meant = path.includes('%') ? withoutEscapes(path) : path;
      return meant === path
        ? [{ path, to }]
        : [
            { path, to },
            { path: meant, to },
          ];
    });
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
