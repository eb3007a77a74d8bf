import { arrow, type ParsedTrack, parseWebVtt, type TrackKind } from '@lyceum/core';
import { looksLikeTimes, parseSrt } from './parse-srt.ts';
import { chaptersOf, parseTimecodes } from './parse-timecodes.ts';
import { refuseTrack } from './track-text.ts';

/** How a text may be written; `auto` looks. */
export const formats = ['auto', 'vtt', 'srt', 'timecodes'] as const;
/** One of them. */
export type Format = (typeof formats)[number];

/** By how the text begins, then by its first line of times. */
function formatOf(text: string, kind: TrackKind): Exclude<Format, 'auto'> {
  if (text.startsWith('WEBVTT')) return 'vtt';
  if (text.includes(arrow) && text.split('\n').some(looksLikeTimes)) return 'srt';
  if (kind === 'chapters') return 'timecodes';
  return refuseTrack([{ line: 1, message: 'is neither WebVTT nor SRT' }]);
}

/**
 * Reads a text by its format.
 * @throws `invalid_track` for one that is nothing of the kind
 */
export function parseContent(
  content: string,
  {
    format,
    kind,
    mediaEnd,
  }: { readonly format: Format; readonly kind: TrackKind; readonly mediaEnd: number | null },
): ParsedTrack {
  if (content.includes('\0')) refuseTrack([{ line: 1, message: 'contains the character U+0000' }]);
  const text = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  switch (format === 'auto' ? formatOf(text, kind) : format) {
    case 'vtt':
      return parseWebVtt(text);
    case 'srt':
      return parseSrt(text);
    default: {
      const { beginnings, problems } = parseTimecodes(text);
      return chaptersOf(beginnings, problems, mediaEnd);
    }
  }
}
