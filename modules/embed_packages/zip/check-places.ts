import { refuse } from './archive-problem.ts';

/** Where an entry lies in the archive: header and data, the end not included. */
export interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * No byte belongs to two entries, nor to an entry and the directory: else one small piece of data could be unpacked
 * a thousand times.
 * @throws ArchiveProblem `overlap`
 */
export function checkPlaces(spans: readonly Span[], directoryStart: number): void {
  const sorted = [...spans].sort((a, b) => a.start - b.start || a.end - b.end);
  let end = 0;
  for (const span of sorted) {
    if (span.start < end) refuse('overlap', span.name);
    end = span.end;
  }
  if (end > directoryStart) refuse('overlap', sorted.at(-1)?.name ?? null);
}
