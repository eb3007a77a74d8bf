import { refuse } from './archive-problem.ts';

/** Where an entry lies in the archive: header and data, the end not included. */
export interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * No byte belongs to two entries: else one small piece of data could be unpacked a thousand times. All stand before
 * the directory: others were cut off, or lie.
 * @throws ArchiveProblem `overlap`, `not_zip`
 */
export function checkPlaces(spans: readonly Span[], directoryStart: number): void {
  const sorted = [...spans].sort((a, b) => a.start - b.start || a.end - b.end);
  let end = 0;
  for (const span of sorted) {
    if (span.start < end) refuse('overlap', span.name);
    end = span.end;
  }
  if (end > directoryStart) refuse('not_zip', sorted.at(-1)?.name ?? null);
}
