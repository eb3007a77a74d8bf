import { arrow, type ParsedTrack, type PlacedCue, type TrackProblem } from '@lyceum/core';

const time = String.raw`(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?`;
const times = new RegExp(String.raw`^${time}[ \t]*-->[ \t]*${time}(?=[^\d,.:]|$)`);

const wrongTimes = 'must be two times such as "00:00:01,000 --> 00:00:04,000"';

/** Milliseconds; NaN for minutes or seconds over 59. */
function millisecondsOf([
  hours = '0',
  minutes = '0',
  seconds = '0',
  fraction = '0',
]: readonly string[]): number {
  if (Number(minutes) > 59 || Number(seconds) > 59) return Number.NaN;
  return (
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
  );
}

/** Times of a line; null when it has none, or none that a clock shows. */
function readTimes(line: string): { readonly start: number; readonly end: number } | null {
  const found = times.exec(line.trim());
  if (!found) return null;
  const [start, end] = [millisecondsOf(found.slice(1, 5)), millisecondsOf(found.slice(5, 9))];
  return Number.isNaN(start) || Number.isNaN(end) ? null : { start, end };
}

/** Whether a line is meant to hold times. Other arrows may stand in a text. */
export const looksLikeTimes = (line: string): boolean => /^\s{0,20}\d{1,6}:[\d:,. \t]{1,40}-->/.test(line);

/** What players of SubRip show without being asked to: colours, and orders of other formats. */
const cleaned = (line: string): string =>
  line
    .replaceAll(/\{\\[^{}]*\}/g, '')
    .replaceAll(/<\/?font\b[^<>]*>/gi, '')
    .replaceAll(/<\/?[BIU]>/g, (tag) => tag.toLowerCase());

/**
 * Reads SubRip as it is found: counters absent or wrong, empty lines too many or none. A cue ends where the next
 * times stand.
 */
export function parseSrt(text: string): ParsedTrack {
  const lines = text.split('\n');
  const cues: PlacedCue[] = [];
  const problems: TrackProblem[] = [];
  const starts: number[] = [];
  for (const [at, line] of lines.entries()) if (line.includes(arrow) && looksLikeTimes(line)) starts.push(at);
  for (const [number, at] of starts.entries()) {
    const found = readTimes(lines[at] ?? '');
    if (found === null) {
      problems.push({ line: at + 1, message: wrongTimes });
      continue;
    }
    const next = starts[number + 1];
    const isCounted = next !== undefined && /^\s{0,20}\d{1,9}\s{0,20}$/.test(lines[next - 1] ?? '');
    const until = next === undefined ? lines.length : isCounted ? next - 1 : next;
    const shown = lines.slice(at + 1, Math.max(until, at + 1)).map((one) => cleaned(one).trim());
    const own = shown.filter((one) => one !== '').join('\n');
    cues.push({ id: '', ...found, settings: '', text: own, notes: [], line: at + 1 });
  }
  return { regions: [], cues, notes: [], problems };
}
