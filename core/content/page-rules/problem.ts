/** How bad it is: a page with an error is not valid, one with warnings only is. */
export type Severity = 'error' | 'warning';

/** What is wrong with a page, and where: an RFC 6901 JSON Pointer into its parsed content, empty for the whole. */
export interface Problem {
  readonly code: string;
  readonly severity: Severity;
  readonly pointer: string;
  readonly message: string;
}

/** What a page is made of. */
export interface PageStats {
  /** Of its content in UTF-8. */
  readonly bytes: number;
  readonly elements: number;
  readonly widgets: number;
  /** Levels of elements. */
  readonly depth: number;
  /** Widgets by type. */
  readonly widget_types: Readonly<Record<string, number>>;
}

/** The first problems of a page by the order of its parts; `valid` counts those that are left out, too. */
export interface PageReport {
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  readonly stats: PageStats;
}

/** Bytes that a document may have. */
export const mostPageBytes = 5 * 1024 * 1024;

/** Problems of one page that are told. */
export const mostProblems = 100;

/** Longest pointer that is told; a problem further in is told of what it lies in. */
export const longestPointer = 1_000;
