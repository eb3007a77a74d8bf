import { createHash } from 'node:crypto';

/** What a page names, each once. */
export interface PageReference {
  /** Of kind and address. */
  readonly key: string;
  /** A file of the site, a file of another host, or a video or sound with an attachment behind it. */
  readonly kind: 'file' | 'external' | 'player';
  /** Absolute; of a player that of the file which the page shows. */
  readonly url: string;
}

/** What is known of a rendered page beside its HTML. */
export interface PageFacts {
  readonly references: readonly PageReference[];
  /** For the log of each run. */
  readonly warnings: readonly string[];
  /** Nobody could make a tree of it: it goes into the course as it is. */
  readonly asItIs: boolean;
}

/** The key of an address. */
export const referenceKey = (kind: PageReference['kind'], url: string): string =>
  `${kind}-${createHash('sha256').update(url, 'utf8').digest('hex').slice(0, 40)}`;
