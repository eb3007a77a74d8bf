import type { Format } from '../formats.ts';
import { fitted, type PictureSize } from './picture-size.ts';
import { chosenStreams, type Limits, type Source, sourceArguments, threadsOf } from './source-arguments.ts';

/** How a site wants its films encoded: as it was when the format began. */
export interface EncodeOptions {
  readonly preset: string;
  readonly crf: { readonly h264: number; readonly vp9: number; readonly av1: number };
  readonly audio_bitrate_kbps: { readonly aac: number; readonly mp3: number; readonly opus: number };
  readonly hls_segment_seconds: number;
}

export interface EncodePlan {
  readonly source: Source;
  readonly options: EncodeOptions;
  readonly limits: Limits;
  /** Encoders that this ffmpeg has. */
  readonly encoders: ReadonlySet<string>;
}

/** Quick presets leave out what makes a stream High. */
const highProfile = '8x8dct=1:cabac=1';

/** Frames per second at most. */
const mostFrames = 60;

/** Everything that makes one file of a source. */
export function encodeArguments(plan: EncodePlan, format: Format, output: string): string[] {
  const { source, limits } = plan;
  const streams = chosenStreams(source, { video: format.kind === 'video', audio: true });
  return [
    ...sourceArguments(source, limits, null),
    ...streams,
    ...(format.kind === 'video' ? videoArguments(plan, format) : ['-vn']),
    ...(source.info.audio_stream === null ? [] : audioArguments(plan, format.audio_codec)),
    ...['-threads', threadsOf(limits)],
    ...containerArguments(format),
    `file:${output}`,
  ];
}

/** One rung of an HLS ladder, in segments that begin with a key frame at the same times as those of the others. */
export function rungArguments(plan: EncodePlan, format: Format, rung: number): string[] {
  const { source, limits, options } = plan;
  const seconds = options.hls_segment_seconds;
  return [
    ...sourceArguments(source, limits, null),
    ...chosenStreams(source, { video: true, audio: true }),
    ...videoArguments(plan, { ...format, height: rung }),
    ...['-force_key_frames', `expr:gte(t,n_forced*${seconds})`, '-sc_threshold', '0'],
    ...(source.info.audio_stream === null ? [] : audioArguments(plan, 'aac')),
    ...['-threads', threadsOf(limits)],
    ...['-f', 'hls', '-hls_time', String(seconds), '-hls_playlist_type', 'vod'],
    ...['-hls_flags', 'independent_segments', '-hls_segment_type', 'mpegts'],
    ...['-hls_segment_filename', `file:${rung}/%05d.ts`, `file:${rung}/index.m3u8`],
  ];
}

/** The size that a source has in a format. */
export function sizeIn({ info }: Source, height: number): PictureSize {
  return fitted({ width: info.width ?? 2, height: info.height ?? 2 }, height);
}

function videoArguments(plan: EncodePlan, format: Format): string[] {
  const { width, height } = sizeIn(plan.source, format.height ?? 2);
  const filters = [`scale=${width}:${height}`, 'setsar=1', 'format=yuv420p'];
  return [...['-vf', filters.join(','), '-fpsmax', String(mostFrames)], ...codecArguments(plan, format)];
}

function codecArguments({ options, encoders, limits }: EncodePlan, { video_codec }: Format): string[] {
  const { preset, crf } = options;
  switch (video_codec) {
    case 'vp9':
      return [
        ...['-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', String(crf.vp9)],
        ...['-row-mt', '1', '-deadline', 'good', '-cpu-used', '3', '-g', '240'],
      ];
    case 'av1':
      return encoders.has('libsvtav1')
        ? [
            ...['-c:v', 'libsvtav1', '-crf', String(crf.av1), '-preset', '8', '-g', '240'],
            ...['-svtav1-params', `lp=${threadsOf(limits)}`],
          ]
        : [
            ...['-c:v', 'libaom-av1', '-b:v', '0', '-crf', String(crf.av1)],
            ...['-cpu-used', '6', '-row-mt', '1', '-g', '240'],
          ];
    default:
      return ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf.h264), '-x264-params', highProfile];
  }
}

function audioArguments({ options }: EncodePlan, codec: string): string[] {
  const { aac, mp3, opus } = options.audio_bitrate_kbps;
  switch (codec) {
    case 'mp3':
      return ['-c:a', 'libmp3lame', '-b:a', `${mp3}k`, '-ac', '2', '-ar', '44100'];
    case 'opus':
      return ['-c:a', 'libopus', '-b:a', `${opus}k`, '-ac', '2', '-ar', '48000'];
    default:
      return ['-c:a', 'aac', '-b:a', `${aac}k`, '-ac', '2', '-ar', '48000'];
  }
}

/** The index of an mp4 comes first, so that it plays while it loads. */
function containerArguments({ container, extension }: Format): string[] {
  if (container !== 'mp4') return ['-f', container];
  return ['-f', extension === 'm4a' ? 'ipod' : 'mp4', '-movflags', '+faststart'];
}
