import type { TrackKind } from '@lyceum/core';
import { type CueList, fail, type ParsedTrack, type TrackProblem, writeWebVtt } from '@lyceum/core';
import { cleanCueText } from './clean-cue-text.ts';

const mostCues = 20_000;
const mostCharacters = 10_000;
const mostProblems = 20;

/** Later times are slips: nobody plays for eleven years. */
const latest = 100_000 * 3_600_000;

/** A track that is fit to be stored. */
export interface TrackText {
  readonly text: string;
  readonly cues: number;
  /** End of the last cue in seconds. */
  readonly duration: number;
}

/** Throws 400 `invalid_track` with what is wrong. */
export function refuseTrack(problems: readonly TrackProblem[]): never {
  const errors = problems.toSorted((a, b) => a.line - b.line).slice(0, mostProblems);
  return fail('invalid_track', { data: { errors } });
}

function problemOf(
  cue: ParsedTrack['cues'][number],
  kind: TrackKind,
  mediaEnd: number | null,
): string | null {
  if (cue.start < 0 || !(cue.end <= latest)) return 'has a time that no media has';
  if (cue.end <= cue.start) return 'must end after it starts';
  if (cue.text.length > mostCharacters) return `must have at most ${mostCharacters} characters`;
  if (kind === 'chapters' && mediaEnd !== null && cue.start >= mediaEnd)
    return 'starts after the end of the media';
  if (kind !== 'metadata') return null;
  if (cue.text.includes('-->')) return 'must not contain "-->"';
  return /(?:^|\n)(?:\n|$)/.test(cue.text) && cue.text !== '' ? 'must not contain an empty line' : null;
}

/**
 * Checks a track and writes it as WebVTT.
 * @param mediaEnd milliseconds that the media lasts, if that is known
 * @throws `invalid_track`
 */
export function trackText(parsed: ParsedTrack, kind: TrackKind, mediaEnd: number | null): TrackText {
  const problems = [...parsed.problems];
  if (parsed.cues.length === 0 && problems.length === 0) problems.push({ line: 1, message: 'has no cue' });
  const excess = parsed.cues[mostCues];
  if (excess) problems.push({ line: excess.line, message: `is one of more than ${mostCues} cues` });
  for (const cue of parsed.cues) {
    const message = problemOf(cue, kind, mediaEnd);
    if (message !== null) problems.push({ line: cue.line, message });
  }
  const cues = parsed.cues.toSorted((a, b) => a.start - b.start || a.end - b.end);
  if (kind === 'chapters') {
    for (const [at, cue] of cues.entries()) {
      const isTwin = at > 0 && cues[at - 1]?.start === cue.start;
      if (isTwin) problems.push({ line: cue.line, message: 'starts when another chapter does' });
    }
  }
  if (problems.length > 0) refuseTrack(problems);
  const written: CueList = {
    ...parsed,
    cues: kind === 'metadata' ? cues : cues.map((cue) => ({ ...cue, text: cleanCueText(cue.text) })),
  };
  const end = cues.reduce((last, cue) => Math.max(last, cue.end), 0);
  return { text: writeWebVtt(written), cues: cues.length, duration: end / 1000 };
}
