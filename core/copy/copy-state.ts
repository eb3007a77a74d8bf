/** The phases of a copy, in their order; clients see them. */
export const copyPhases = [
  'options',
  'users',
  'terms',
  'posts',
  'files',
  'modules',
  'rewrite',
  'check',
  'finish',
] as const;
export type CopyPhase = (typeof copyPhases)[number];

/** What the copy has so far. */
export interface Copied {
  readonly posts: number;
  readonly terms: number;
  readonly attachments: number;
  /** Of attachments and of modules. */
  readonly files: number;
  /** Of attachments alone. */
  readonly mediaFiles: number;
  readonly bytes: number;
  readonly options: number;
  readonly users: number;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** A file that could not be copied. */
export interface SkippedFile {
  /** Of the attachment or row in the source. */
  readonly old_id: number;
  readonly reason: 'missing' | 'damaged';
}

/** A place in a list that is worked through in the order of its keys; null before the first. */
export type After = number | string | readonly string[] | null;

/** Where a copy stands: kept with every batch, in its transaction. */
export interface CopyState {
  readonly phase: CopyPhase;
  /** What of the phase is done, where it has parts. */
  readonly part: string;
  readonly after: After;
  /** The greatest ids at the start, by kind: later rows are not taken. */
  readonly limits: Readonly<Record<string, number>>;
  /** How many records of each kind there were to be seen at the start. */
  readonly counts: Readonly<Record<'post' | 'attachment' | 'term', number>>;
  readonly total: number;
  readonly done: number;
  /** RFC 3339, of the database. */
  readonly startedAt: string;
  /** Where the source lay at the start. */
  readonly source: { readonly domain: string; readonly path: string };
  readonly copied: Copied;
  readonly skipped: readonly SkippedFile[];
  readonly replacedUrls: number;
}

/** A copy that is being removed again, whoever goes on with it. */
export interface CleaningUp {
  readonly phase: 'clean-up';
  /** What the job fails with, unless it was cancelled. */
  readonly failure: { readonly code: string; readonly message: string };
}

/** As many are named in a result; the events of the job name all. */
export const mostSkippedNamed = 1_000;

/** The state at the beginning of the next phase. */
export function nextPhase(state: CopyState): CopyState {
  const at = copyPhases.indexOf(state.phase);
  return { ...state, phase: copyPhases[at + 1] ?? 'finish', part: '', after: null };
}
