import type { ParsedTrack, PlacedCue, TrackProblem } from '@lyceum/core';

const lineForm = /^(?:(\d{1,6}):([0-5]?\d)|(\d{1,6})):([0-5]\d)(?:\.(\d{3}))?(?=[\s–-])/;

/** Beginnings of chapters, in milliseconds. */
export interface Beginning {
  readonly start: number;
  readonly title: string;
  readonly line: number;
}

/** Without the white space and the one dash between time and title. */
function titleIn(rest: string): string {
  const title = rest.trim();
  return /^[–-]/.test(title) ? title.slice(1).trim() : title;
}

/** Reads lines such as `1:05 Setup`. */
export function parseTimecodes(text: string): {
  readonly beginnings: readonly Beginning[];
  readonly problems: readonly TrackProblem[];
} {
  const beginnings: Beginning[] = [];
  const problems: TrackProblem[] = [];
  for (const [at, whole] of text.split('\n').entries()) {
    const line = whole.trim();
    if (line === '') continue;
    const found = lineForm.exec(line);
    const title = found ? titleIn(line.slice(found[0].length)) : '';
    if (!found || title === '') {
      problems.push({ line: at + 1, message: 'must be a time and a title, such as "1:05 Setup"' });
      continue;
    }
    const [, hours = '0', minutes, onlyMinutes, seconds, fraction = '0'] = found;
    const wholeMinutes = Number(hours) * 60 + Number(minutes ?? onlyMinutes);
    const start = (wholeMinutes * 60 + Number(seconds)) * 1000 + Number(fraction);
    beginnings.push({ start, title, line: at + 1 });
  }
  return { beginnings, problems };
}

/** Chapters that follow each other; the last one lasts to the end, or a second where that is not known. */
export function chaptersOf(
  beginnings: readonly Beginning[],
  problems: readonly TrackProblem[],
  mediaEnd: number | null,
): ParsedTrack {
  const sorted = beginnings.toSorted((a, b) => a.start - b.start);
  const cues = sorted.map(({ start, title, line }, at): PlacedCue => {
    const next = sorted[at + 1]?.start ?? mediaEnd ?? start + 1000;
    // A wrong beginning is told as such, and not as a wrong end.
    const end = next > start ? next : start + 1000;
    return { id: '', start, end, settings: '', text: title, notes: [], line };
  });
  return { regions: [], cues, notes: [], problems };
}
