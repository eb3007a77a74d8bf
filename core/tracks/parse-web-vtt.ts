import { arrow, type Cue, type CueList, type TrackProblem } from './cue.ts';
import { knownSettings } from './cue-settings.ts';

/** A cue, and the line of its times. */
export interface PlacedCue extends Cue {
  readonly line: number;
}

/** A parsed file; with problems it is not to be used. */
export interface ParsedTrack extends CueList {
  readonly cues: readonly PlacedCue[];
  readonly problems: readonly TrackProblem[];
}

const time = String.raw`(?:(\d{2,6}):)?([0-5]\d):([0-5]\d)\.(\d{3})`;
const times = new RegExp(String.raw`${time}[ \t]+-->[ \t]+${time}(?=[ \t]|$)`, 'y');
const wrongTimes = 'must be two times such as "00:00:01.000 --> 00:00:04.000"';

const isNote = (line: string): boolean => /^NOTE(?:[ \t]|$)/.test(line);
const isRegion = (line: string): boolean => line.trimEnd() === 'REGION';

const millisecondsOf = (hours = '0', minutes = '0', seconds = '0', fraction = '0'): number =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction);

/**
 * Reads WebVTT, line by line and without recursion. Times must be written as the standard demands. Blocks that are
 * neither cue nor comment nor region are passed over, as browsers do.
 * @param text with LF as the only line end, without byte order mark
 */
export function parseWebVtt(text: string): ParsedTrack {
  const lines = text.split('\n');
  const track = new Reading();
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '')) {
    track.problems.push({ line: 1, message: 'must be WEBVTT' });
    return track.result();
  }
  let at = 1;
  while (at < lines.length && lines[at] !== '' && !lines[at]?.includes(arrow)) at += 1;
  while (at < lines.length) at = lines[at] === '' ? at + 1 : track.block(lines, at);
  return track.result();
}

class Reading {
  readonly problems: TrackProblem[] = [];
  readonly #regions: string[] = [];
  readonly #cues: PlacedCue[] = [];
  #notes: string[] = [];

  /** Reads the block that begins in this line; the first line behind it. */
  block(lines: readonly string[], first: number): number {
    const isTimes = (line: number): boolean => lines[line]?.includes(arrow) ?? false;
    if (isTimes(first)) return this.#cue(lines, first, '');
    if (isTimes(first + 1)) return this.#cue(lines, first + 1, lines[first] ?? '');
    let end = first;
    while (end < lines.length && lines[end] !== '' && !isTimes(end)) end += 1;
    const opening = lines[first] ?? '';
    const block = (): string => lines.slice(first, end).join('\n');
    if (isNote(opening)) this.#notes.push(block());
    // Regions behind a cue are none.
    else if (isRegion(opening) && this.#cues.length === 0) this.#regions.push(block());
    return end;
  }

  #cue(lines: readonly string[], timesAt: number, id: string): number {
    let end = timesAt + 1;
    while (end < lines.length && lines[end] !== '' && !lines[end]?.includes(arrow)) end += 1;
    const line = lines[timesAt] ?? '';
    times.lastIndex = 0;
    const found = times.exec(line);
    if (!found) {
      this.problems.push({ line: timesAt + 1, message: wrongTimes });
      return end;
    }
    this.#cues.push({
      id,
      start: millisecondsOf(...found.slice(1, 5)),
      end: millisecondsOf(...found.slice(5, 9)),
      settings: knownSettings(line.slice(times.lastIndex)),
      text: lines.slice(timesAt + 1, end).join('\n'),
      notes: this.#notes,
      line: timesAt + 1,
    });
    this.#notes = [];
    return end;
  }

  result(): ParsedTrack {
    return { regions: this.#regions, cues: this.#cues, notes: this.#notes, problems: this.problems };
  }
}
