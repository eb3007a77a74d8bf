import { frontOf, type RewrittenUrls, standsAlone } from './rewrite-urls.ts';
import { decodedAt, portStart, slashEnd, slashStart } from './url-tokens.ts';

/** A file of a site, whose address is looked for in texts. */
export interface NamedFile {
  /** The site's stored domain, in lower case. */
  readonly domain: string;
  /** The site's path, with slashes around it. */
  readonly sitePath: string;
  /** Below the site's `files/`. */
  readonly path: string;
}

/** Where one address of the file stands in a text. */
interface Found {
  /** Of the path below `files/`. */
  readonly from: number;
  readonly to: number;
  /** How the slashes of the path are written here. */
  readonly slash: string;
}

const nameCharacter = /[A-Za-z0-9._%-]/;

/**
 * Finds and changes the address of one file: with `http`, `https` or no scheme, or from the root of the site, its
 * slashes plain, escaped by JSON or HTML, or percent-encoded. What only begins like it stays. Pure, and linear in the
 * length of the text, whatever the number of spellings: all of them share one mark.
 */
export class FileUrl {
  readonly #domain: string;
  readonly #segments: readonly string[];
  /** So many segments stand before the path below `files/`. */
  readonly #above: number;
  readonly #marked: number;
  readonly #markAt: number;
  /** Letters and digits that stand in every text which names the file. */
  readonly mark: string;

  constructor({ domain, sitePath, path }: NamedFile) {
    this.#domain = domain;
    const above = `${sitePath}files`.split('/').slice(1);
    this.#above = above.length;
    this.#segments = [...above, ...path.split('/')];
    this.mark = longestWord(path);
    const marked = path.split('/').findIndex((segment) => segment.includes(this.mark));
    this.#marked = above.length + marked;
    this.#markAt = this.#segments[this.#marked]?.indexOf(this.mark) ?? 0;
  }

  /** Whether the text names the file. */
  isIn(text: string): boolean {
    return this.#next(text, 0) !== null;
  }

  /** The text with another path of the file below `files/`; the rest of each address stays as it was written. */
  rewrite(text: string, path: string): RewrittenUrls {
    const parts: string[] = [];
    let done = 0;
    let replaced = 0;
    for (let found = this.#next(text, 0); found; found = this.#next(text, done)) {
      parts.push(text.slice(done, found.from), path.replaceAll('/', found.slash));
      done = found.to;
      replaced += 1;
    }
    if (replaced === 0) return { text, replaced };
    parts.push(text.slice(done));
    return { text: parts.join(''), replaced };
  }

  /** The first address of the file whose path begins at `after` or behind it. */
  #next(text: string, after: number): Found | null {
    for (let at = text.indexOf(this.mark, after); at >= 0; at = text.indexOf(this.mark, at + 1)) {
      const found = this.#around(text, at - this.#markAt);
      if (found && found.from >= after) return found;
    }
    return null;
  }

  /** The address around the marked segment, should that begin here. */
  #around(text: string, segmentAt: number): Found | null {
    if (!text.startsWith(this.#segments[this.#marked] ?? '', segmentAt)) return null;
    const front = this.#before(text, segmentAt);
    const end = front === null ? -1 : this.#behind(text, segmentAt);
    if (front === null || end < 0) return null;
    if (!this.#begins(text, front.start) || !isEnd(text, end, front.slash)) return null;
    return { from: front.from, to: end, slash: front.slash };
  }

  /** Reads the segments in front of the marked one, from right to left. */
  #before(
    text: string,
    segmentAt: number,
  ): { readonly start: number; readonly from: number; readonly slash: string } | null {
    let at = segmentAt;
    let from = segmentAt;
    let slash = '';
    for (let index = this.#marked; index >= 0; index -= 1) {
      if (index === this.#above) from = at;
      const slashAt = slashStart(text, at);
      if (slashAt < 0) return null;
      slash = text.slice(slashAt, at);
      at = slashAt;
      const next = this.#segments[index - 1];
      if (next === undefined) break;
      if (text.slice(Math.max(0, at - next.length), at) !== next) return null;
      at -= next.length;
    }
    return { start: at, from, slash };
  }

  /** End of the last segment; -1 when others follow than those of the file. */
  #behind(text: string, segmentAt: number): number {
    let end = segmentAt + (this.#segments[this.#marked]?.length ?? 0);
    for (const next of this.#segments.slice(this.#marked + 1)) {
      const from = slashEnd(text, end);
      if (from < 0 || !text.startsWith(next, from)) return -1;
      end = from + next.length;
    }
    return end;
  }

  /** Whether the site's own domain stands in front of the path, or nothing that it could be a part of. */
  #begins(text: string, pathAt: number): boolean {
    const hostEnd = portStart(text, pathAt);
    const hostAt = hostEnd - this.#domain.length;
    if (hostAt >= 0 && text.slice(hostAt, hostEnd).toLowerCase() === this.#domain) {
      return frontOf(text, hostAt) !== null;
    }
    return standsAlone(text, pathAt);
  }
}

/** An encoded address goes on with encoded characters; to any other a percent sign belongs. */
function isEnd(text: string, at: number, slash: string): boolean {
  const next = text[at] ?? '';
  if (next === '%' && slash.startsWith('%')) return !nameCharacter.test(decodedAt(text, at) ?? '%');
  return !nameCharacter.test(next);
}

function longestWord(path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}
