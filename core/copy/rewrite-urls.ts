import {
  characterBefore,
  colonStart,
  isWhole,
  portEnd,
  readFilePath,
  readSitePaths,
  type SitePaths,
  slashEnd,
  slashStart,
} from './url-tokens.ts';

/** Where a site was and where it is now. Paths begin and end with a slash, names of hosts are in lower case. */
export interface SiteMove {
  /** The old site's domain first, then further names of the same machine. */
  readonly domains: readonly string[];
  readonly path: string;
  readonly to: {
    readonly domain: string;
    readonly path: string;
    /** Takes the place of the scheme and port that a URL has; null leaves both as they are. */
    readonly origin: { readonly scheme: 'http' | 'https'; readonly port: string } | null;
  };
  /** Whether addresses of the site that are none of files move. */
  readonly pages: boolean;
  /** Also `"/lab/x"`: a path alone at the beginning of a text or of what is quoted or in parentheses. */
  readonly pathsAlone: boolean;
  /** The new path below `files/` of the file that was under this one; null where its address is to stay. */
  readonly file: (path: string) => string | null;
}

/**
 * Whether a URL belongs to the site that moved. `sitePaths` are all the site paths that could begin its path,
 * shortest first: a longer one may be that of another site.
 */
export type Owns = (domain: string, sitePaths: readonly string[]) => boolean;

export interface RewrittenUrls {
  /** The very same text when nothing was replaced. */
  readonly text: string;
  readonly replaced: number;
}

/** A place in the text where the moved site may be named. */
interface Place {
  readonly start: number;
  /** Of the host; equal to `hostEnd` where only a path stands. */
  readonly hostStart: number;
  readonly hostEnd: number;
  readonly authorityEnd: number;
  /** End of the scheme that begins at `start`; equal to it without one. */
  readonly schemeEnd: number;
  /** How slashes are written here. */
  readonly slash: string;
}

/** Rewrites the URLs of one moved site in texts. Pure, and linear in the length of the text. */
export class UrlRewriter {
  readonly #move: SiteMove;
  readonly #candidates: RegExp;

  constructor(move: SiteMove) {
    this.#move = move;
    const hosts = [...move.domains].sort((a, b) => b.length - a.length).map(escaped);
    const first = move.path.split('/')[1] ?? '';
    const alone =
      move.pathsAlone && first !== ''
        ? [`(?<=^|["'(]|\\\\u002[278])(?:\\\\*/|%(?:25)*2F)(?=${escaped(first)})`]
        : [];
    this.#candidates = new RegExp([...hosts, ...alone].join('|'), 'gi');
  }

  /** @param owns asked for each URL whose path could be the old site's */
  rewrite(text: string, owns: Owns): RewrittenUrls {
    const parts: string[] = [];
    let done = 0;
    let replaced = 0;
    this.#candidates.lastIndex = 0;
    for (let found = this.#candidates.exec(text); found; found = this.#candidates.exec(text)) {
      const place = this.#placeOf(text, found.index, found[0]);
      const change = place && place.start >= done ? this.#changeAt(text, place, owns) : null;
      if (!place || !change) continue;
      parts.push(text.slice(done, place.start), change.text);
      done = change.end;
      replaced += 1;
      this.#candidates.lastIndex = Math.max(done, found.index + found[0].length);
    }
    if (replaced === 0) return { text, replaced };
    parts.push(text.slice(done));
    return { text: parts.join(''), replaced };
  }

  #placeOf(text: string, at: number, matched: string): Place | null {
    if (/[/F]$/i.test(matched) && slashEnd(text, at) === at + matched.length) {
      const none = { start: at, hostStart: at, hostEnd: at, authorityEnd: at, schemeEnd: at };
      return { ...none, slash: matched };
    }
    const hostEnd = at + matched.length;
    const authorityEnd = portEnd(text, hostEnd);
    const after = slashEnd(text, authorityEnd);
    const front = frontOf(text, at);
    if (!front) return null;
    const ends =
      after >= 0 || (front.slash !== '' && isWhole(text, authorityEnd, front.slash.startsWith('%')));
    if (!ends) return null;
    const slash = after < 0 ? front.slash : text.slice(authorityEnd, after);
    return { ...front, hostStart: at, hostEnd, authorityEnd, slash };
  }

  /** What stands in place of the URL's beginning; null when it stays. */
  #changeAt(text: string, place: Place, owns: Owns): { readonly text: string; readonly end: number } | null {
    const { path, domains, pages } = this.#move;
    const found = readSitePaths(text, place.authorityEnd);
    const at = found.paths.indexOf(path);
    if (at < 0) return null;
    const domain = text.slice(place.hostStart, place.hostEnd).toLowerCase() || (domains[0] ?? '');
    const file = fileAfter(text, found, at);
    const newFile = file ? this.#move.file(file.path) : null;
    if (file ? newFile === null : !pages) return null;
    if (!owns(domain, found.paths)) return null;
    const end = found.ends[at] ?? place.authorityEnd;
    const base = this.#base(text, place, end);
    if (!file || newFile === null || newFile === file.path) return { text: base, end };
    const written = newFile.replaceAll('/', place.slash);
    return { text: `${base}${text.slice(end, file.from)}${written}`, end: file.end };
  }

  /** The address of the new site as the old one was written, without closing slash. */
  #base(text: string, place: Place, oldEnd: number): string {
    const { to, domains } = this.#move;
    const path = to.path.slice(0, -1).replaceAll('/', place.slash);
    if (place.hostStart === place.hostEnd) {
      return path === '' && slashEnd(text, oldEnd) < 0 ? place.slash : path;
    }
    const { start, schemeEnd, hostStart, hostEnd, authorityEnd } = place;
    const scheme = schemeEnd > start && to.origin ? to.origin.scheme : text.slice(start, schemeEnd);
    const host = to.domain === domains[0] ? text.slice(hostStart, hostEnd) : to.domain;
    const port = to.origin ? portText(text, place, to.origin.port) : text.slice(hostEnd, authorityEnd);
    return `${scheme}${text.slice(schemeEnd, hostStart)}${host}${port}${path}`;
  }
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function portText(text: string, { slash, schemeEnd, hostStart }: Place, port: string): string {
  if (port === '') return '';
  const colon = text.slice(schemeEnd, hostStart).match(/^(?::|%(?:25)*3A)/i)?.[0];
  return `${colon ?? (slash.startsWith('%') ? '%3A' : ':')}${port}`;
}

/** What stands before a host: `https://`, `//`, or nothing that belongs to a URL. Null for part of something else. */
export function frontOf(text: string, at: number): Pick<Place, 'start' | 'schemeEnd' | 'slash'> | null {
  const inner = slashStart(text, at);
  if (inner < 0) return standsAlone(text, at) ? { start: at, schemeEnd: at, slash: '' } : null;
  const outer = slashStart(text, inner);
  if (outer < 0) return null;
  const slash = text.slice(inner, at);
  const colon = colonStart(text, outer);
  if (colon < 0) return standsAlone(text, outer) ? { start: outer, schemeEnd: outer, slash } : null;
  const scheme = /https?$/i.exec(text.slice(Math.max(0, colon - 5), colon))?.[0];
  if (!scheme) return null;
  const start = colon - scheme.length;
  return /[A-Za-z0-9+.-]/.test(characterBefore(text, start)) ? null : { start, schemeEnd: colon, slash };
}

/** Whether what begins at `at` goes on nothing that could be part of a URL. */
export const standsAlone = (text: string, at: number): boolean =>
  !/[\p{L}\p{N}\p{M}_.~:/\\%@-]/u.test(characterBefore(text, at));

/** The file that a URL of the site names, if it names one; `from` is where its path begins. */
function fileAfter(text: string, { ends }: SitePaths, at: number) {
  const end = ends[at] ?? 0;
  const from = slashEnd(text, end);
  if (from < 0 || !text.startsWith('files', from)) return null;
  const behind = slashEnd(text, from + 'files'.length);
  if (behind < 0 || !isWhole(text, from + 'files'.length, text[end] === '%')) return null;
  const file = readFilePath(text, behind);
  return file && { ...file, from: behind };
}
