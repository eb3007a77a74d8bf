import { type InstalledModules, specs } from '../../registry/spec.ts';
import { maxSlug, sanitizeSlug } from '../slug.ts';

/** Why a text can be no slug of a site. */
export type SlugFault = 'empty' | 'too_long' | 'reserved';

/** First path segments and host labels that the host serves itself or keeps free. */
const hostWords = [
  'console',
  'files',
  'healthz',
  'readyz',
  'metrics',
  'docs',
  'network',
  'admin',
  'www',
] as const;

/** The slugs that no site may take: the host's own words, what modules serve, and what a network keeps free. */
export class ReservedSlugs {
  readonly #words: ReadonlySet<string>;
  readonly #modules: () => InstalledModules;
  /** A network may keep a thousand words free: sanitized once for each list, not for each site. */
  readonly #sanitized = new WeakMap<readonly string[], ReadonlySet<string>>();

  constructor(apiRoot: string, modules: () => InstalledModules) {
    this.#words = new Set([apiRoot, ...hostWords]);
    this.#modules = modules;
  }

  /** @param further words that the network keeps free, as somebody typed them */
  includes(slug: string, further: readonly string[]): boolean {
    if (this.#words.has(slug) || this.#further(further).has(slug)) return true;
    for (const { publicSegments } of specs(this.#modules())) if (publicSegments.includes(slug)) return true;
    return false;
  }

  #further(words: readonly string[]): ReadonlySet<string> {
    const kept = this.#sanitized.get(words);
    if (kept) return kept;
    const sanitized = new Set(words.map((word) => sanitizeSlug(word, maxSlug)));
    this.#sanitized.set(words, sanitized);
    return sanitized;
  }
}

export interface ReadSlug {
  /** Sanitized; as long as it came where it is too long. */
  readonly slug: string;
  readonly fault: SlugFault | null;
}

/**
 * Reads what somebody wants as a site's slug.
 * @param longest how long it may be
 * @param further words that the network keeps free besides
 */
export function readSiteSlug(
  text: string,
  longest: number,
  reserved: ReservedSlugs,
  further: readonly string[],
): ReadSlug {
  const slug = sanitizeSlug(text, maxSlug);
  if (slug === '') return { slug, fault: 'empty' };
  if (slug.length > longest) return { slug, fault: 'too_long' };
  return { slug, fault: reserved.includes(slug, further) ? 'reserved' : null };
}

/** `lab-3` of `lab`, cut so that the whole is no longer than allowed. */
export function numberedSiteSlug(slug: string, number: number, longest: number): string {
  const tail = `-${number}`;
  return `${slug.slice(0, Math.max(1, longest - tail.length)).replace(/-+$/, '')}${tail}`;
}
