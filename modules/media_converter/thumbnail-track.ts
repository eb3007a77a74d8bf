/** Rows of tiles in a sheet. */
export const tileRows = 10;

/** How tiles lie in their sheets; times in seconds, sizes in pixels. */
export interface Sheets {
  readonly interval: number;
  readonly count: number;
  readonly columns: number;
  /** Of a tile. */
  readonly width: number;
  readonly height: number;
  readonly duration: number;
}

/** One tile for each interval that begins. */
export const tileCount = (duration: number, interval: number): number =>
  Math.max(1, Math.ceil(duration / interval - 1e-6));

/** WebVTT whose cues touch, from 0 to the end: each names its tile, relative to the track. */
export function thumbnailTrack(sheets: Sheets, names: readonly string[]): string {
  const { interval, count, columns, width, height, duration } = sheets;
  const perSheet = columns * tileRows;
  const cues = Array.from({ length: count }, (_none, at) => {
    const place = at % perSheet;
    const [x, y] = [(place % columns) * width, Math.floor(place / columns) * height];
    const end = at === count - 1 ? duration : (at + 1) * interval;
    const name = names[Math.floor(at / perSheet)] ?? '';
    return `${stamp(at * interval)} --> ${stamp(end)}\n${name}#xywh=${x},${y},${width},${height}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}

function stamp(seconds: number): string {
  const all = Math.round(seconds * 1000);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const [hours, minutes] = [all / 3_600_000, (all / 60_000) % 60];
  return `${two(hours)}:${two(minutes)}:${two((all / 1000) % 60)}.${String(all % 1000).padStart(3, '0')}`;
}
