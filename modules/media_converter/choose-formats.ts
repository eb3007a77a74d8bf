import { type Call, fail, type MediaInfo } from '@lyceum/core';
import { Ffmpeg } from './ffmpeg/ffmpeg.ts';
import { formatOf, type Inapplicable, inapplicable, type SourceFacts } from './formats.ts';

export const formatErrors = [
  'no_applicable_formats',
  'unknown_format',
  'format_not_available',
  'format_not_applicable',
] as const;

const nothing: SourceFacts = { width: null, height: null, video_codec: null, audio_codec: null };

/** Why a format cannot be made of the file; null when it can. */
export const reasonOf = (key: string, info: MediaInfo | null): Inapplicable | null => {
  const format = formatOf(key);
  return format ? inapplicable(format, info ?? nothing) : 'no_video';
};

/** What is made of a file when nobody names formats: the site's own choice, where it can be made. */
export function standardFormats(
  { standard, enabled, available }: FormatChoice,
  info: MediaInfo | null,
): string[] {
  const isOpen = (key: string): boolean => available.has(key) && enabled.includes(key);
  return standard.filter((key) => isOpen(key) && reasonOf(key, info) === null);
}

/** Keys of formats: those of the site's choice, those it allows, those this ffmpeg can make. */
export interface FormatChoice {
  readonly standard: readonly string[];
  readonly enabled: readonly string[];
  readonly available: ReadonlySet<string>;
}

/**
 * The formats to be made, each once, in the order in which they were named; the site's own choice where none are.
 * @throws `formatErrors`
 */
export async function chooseFormats(
  call: Call,
  info: MediaInfo | null,
  wanted: readonly string[] | undefined,
): Promise<string[]> {
  const available = await call.get(Ffmpeg).available();
  const enabled = new Set(call.setting<readonly string[]>('enabled_formats'));
  const isOpen = (key: string): boolean => available.has(key) && enabled.has(key);
  if (wanted === undefined) {
    const standard = call.setting<readonly string[]>('default_formats');
    const chosen = standardFormats({ standard, enabled: [...enabled], available }, info);
    return chosen.length > 0 ? chosen : fail('no_applicable_formats');
  }
  const keys = [...new Set(wanted)];
  const unknown = keys.filter((key) => formatOf(key) === undefined);
  if (unknown.length > 0) fail('unknown_format', { data: { formats: unknown.slice(0, 20) } });
  const closed = keys.filter((key) => !isOpen(key));
  if (closed.length > 0) fail('format_not_available', { data: { formats: closed } });
  const reasons = keys.flatMap((key) => {
    const reason = reasonOf(key, info);
    return reason === null ? [] : [[key, reason] as const];
  });
  if (reasons.length > 0) fail('format_not_applicable', { data: { formats: Object.fromEntries(reasons) } });
  return keys;
}
