import type { PictureSize } from './picture-size.ts';

/** A rung as it was made. */
export interface Rung extends PictureSize {
  readonly name: number;
  /** By RFC 6381. */
  readonly codecs: string;
  readonly frame_rate: number | null;
  readonly segments: readonly { readonly seconds: number; readonly bytes: number }[];
}

const extinf = /^#EXTINF:([0-9.]+),/;

/** Segments of a playlist that our ffmpeg wrote: file and seconds of each. */
export function segmentsIn(playlist: string): { readonly file: string; readonly seconds: number }[] {
  const lines = playlist.split('\n');
  return lines.flatMap((line, at) => {
    const seconds = extinf.exec(line)?.[1];
    const file = lines[at + 1]?.trim();
    return seconds && file ? [{ file, seconds: Number(seconds) }] : [];
  });
}

/** The playlist that players begin with: what each rung costs was measured. */
export function masterPlaylist(rungs: readonly Rung[]): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS'];
  for (const rung of rungs) {
    const { width, height, codecs, frame_rate, segments, name } = rung;
    const peak = Math.max(...segments.map(({ seconds, bytes }) => rate(bytes, seconds)));
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    const seconds = segments.reduce((sum, segment) => sum + segment.seconds, 0);
    const said = [
      `BANDWIDTH=${peak}`,
      `AVERAGE-BANDWIDTH=${rate(bytes, seconds)}`,
      `RESOLUTION=${width}x${height}`,
      `CODECS="${codecs}"`,
      ...(frame_rate === null ? [] : [`FRAME-RATE=${frame_rate.toFixed(3)}`]),
    ];
    lines.push(`#EXT-X-STREAM-INF:${said.join(',')}`, `${name}/index.m3u8`);
  }
  return `${lines.join('\n')}\n`;
}

/** Bits per second, rounded up. */
const rate = (bytes: number, seconds: number): number => Math.ceil((8 * bytes) / Math.max(seconds, 0.001));
