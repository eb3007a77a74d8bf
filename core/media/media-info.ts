import { audioCodecString, videoCodecString } from './codec-strings.ts';

/** What a film or sound is. Kept beside its attachment, so that nobody asks ffprobe twice. */
export interface MediaInfo {
  readonly kind: 'video' | 'audio';
  /** ffprobe's names of the container, joined by commas. */
  readonly container: string;
  /** Seconds, to the millisecond. */
  readonly duration: number;
  /** Bits per second, of all together. */
  readonly bit_rate: number;
  /** Pixels as displayed: a rotation in the file is applied. Null for sound, also when it has a cover. */
  readonly width: number | null;
  readonly height: number | null;
  /** Degrees clockwise that a player turns it. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly frame_rate: number | null;
  /** ffmpeg's short names. */
  readonly video_codec: string | null;
  readonly audio_codec: string | null;
  readonly audio_channels: number | null;
  readonly audio_sample_rate: number | null;
  /** By RFC 6381, where it is known. */
  readonly video_codecs: string | null;
  readonly audio_codecs: string | null;
  /** Indexes of the streams that are used: the first of each kind, covers left out. */
  readonly video_stream: number | null;
  readonly audio_stream: number | null;
}

/** Why a file is no media that can be used. */
export type MediaProblem =
  | 'not_media'
  | 'container_not_allowed'
  | 'no_streams'
  | 'no_duration'
  | 'picture_too_large'
  | 'too_many_streams'
  | 'probe_timeout';

/** Pixels of a frame that are decoded at most: 8K. It bounds the memory of whoever decodes. */
export const mostPixels = 33_177_600;

/** More are never meant for a player. */
const mostStreams = 32;

/** A stream as ffprobe tells of it. */
export interface ProbedStream {
  readonly index?: unknown;
  readonly codec_type?: unknown;
  readonly codec_name?: unknown;
  readonly profile?: unknown;
  readonly level?: unknown;
  readonly pix_fmt?: unknown;
  readonly width?: unknown;
  readonly height?: unknown;
  readonly sample_aspect_ratio?: unknown;
  readonly avg_frame_rate?: unknown;
  readonly r_frame_rate?: unknown;
  readonly duration?: unknown;
  readonly channels?: unknown;
  readonly sample_rate?: unknown;
  readonly nb_read_frames?: unknown;
  readonly disposition?: { readonly attached_pic?: unknown };
  readonly tags?: { readonly rotate?: unknown };
  readonly side_data_list?: readonly { readonly rotation?: unknown }[];
}

export interface ProbedFile {
  readonly format?: {
    readonly format_name?: unknown;
    readonly start_time?: unknown;
    readonly duration?: unknown;
    readonly bit_rate?: unknown;
    readonly nb_streams?: unknown;
  };
  readonly streams?: readonly ProbedStream[];
}

/** Entries that are read. */
export const probedEntries =
  'format=format_name,start_time,duration,bit_rate,nb_streams:' +
  'stream=index,codec_type,codec_name,profile,level,pix_fmt,width,height,sample_aspect_ratio,avg_frame_rate,' +
  'r_frame_rate,duration,channels,sample_rate:stream_disposition=attached_pic:stream_tags=rotate:stream_side_data=rotation';

/** What ffprobe's report says of the file. */
export function mediaInfo(report: ProbedFile): MediaInfo | MediaProblem {
  const streams = report.streams ?? [];
  if (Number(report.format?.nb_streams ?? streams.length) > mostStreams) return 'too_many_streams';
  const video = streams.find(isPicture);
  const audio = streams.find(({ codec_type }) => codec_type === 'audio');
  if (!video && !audio) return 'no_streams';
  const duration = durationOf(report, video, audio);
  if (duration === null) return 'no_duration';
  const size = sizeOf(video);
  if ((size.width ?? 0) * (size.height ?? 0) > mostPixels) return 'picture_too_large';
  return {
    kind: video ? 'video' : 'audio',
    container: text(report.format?.format_name) ?? '',
    duration,
    bit_rate: whole(report.format?.bit_rate) ?? 0,
    ...size,
    frame_rate: video ? (rate(video.avg_frame_rate) ?? rate(video.r_frame_rate)) : null,
    video_codec: text(video?.codec_name),
    audio_codec: text(audio?.codec_name),
    audio_channels: whole(audio?.channels),
    audio_sample_rate: whole(audio?.sample_rate),
    video_codecs: video ? videoCodecString(video) : null,
    audio_codecs: audio ? audioCodecString(audio) : null,
    video_stream: video ? Number(video.index) : null,
    audio_stream: audio ? Number(audio.index) : null,
  };
}

/** Films have pictures that change; a cover of a record is none. */
const isPicture = ({ codec_type, disposition }: ProbedStream): boolean =>
  codec_type === 'video' && disposition?.attached_pic !== 1;

function durationOf(
  { format }: ProbedFile,
  ...streams: readonly (ProbedStream | undefined)[]
): number | null {
  const ofAll = Number(format?.duration) - lateStart(format);
  for (const seconds of [ofAll, ...streams.map((stream) => Number(stream?.duration))]) {
    if (seconds > 0 && seconds < 1e9) return Math.round(seconds * 1000) / 1000;
  }
  return null;
}

/** Seconds before the first frame that Matroska counts into its length; no other container does. */
function lateStart(format: ProbedFile['format']): number {
  const start = Number(format?.start_time ?? 0);
  return start > 0 && /\bmatroska\b/.test(text(format?.format_name) ?? '') ? start : 0;
}

function sizeOf(video: ProbedStream | undefined): Pick<MediaInfo, 'width' | 'height' | 'rotation'> {
  const rotation = video ? rotationOf(video) : 0;
  const [stored, height] = [whole(video?.width), whole(video?.height)];
  if (stored === null || height === null) return { width: null, height: null, rotation };
  const width = Math.max(1, Math.round(stored * pixelShape(video)));
  return rotation % 180 === 90 ? { width: height, height: width, rotation } : { width, height, rotation };
}

/** How wide a pixel is for its height: 1, but for films of television and some cameras. */
function pixelShape(video: ProbedStream | undefined): number {
  const [wide, high] = String(video?.sample_aspect_ratio ?? '')
    .split(':')
    .map(Number);
  const shape = wide && high ? wide / high : 1;
  return shape >= 0.25 && shape <= 4 ? shape : 1;
}

/** The display matrix turns the other way round than the old tag. */
function rotationOf({ side_data_list, tags }: ProbedStream): MediaInfo['rotation'] {
  const turned = side_data_list?.find(({ rotation }) => typeof rotation === 'number')?.rotation;
  const degrees = turned === undefined ? Number(tags?.rotate ?? 0) : -Number(turned);
  const quarter = Math.round(degrees / 90) * 90;
  const clockwise = ((quarter % 360) + 360) % 360;
  return clockwise === 90 || clockwise === 180 || clockwise === 270 ? clockwise : 0;
}

/** A fraction such as `30000/1001`. */
function rate(value: unknown): number | null {
  const [above, below] = String(value ?? '')
    .split('/')
    .map(Number);
  if (above === undefined || !below || !(above > 0) || above / below > 1_000) return null;
  return Math.round((1000 * above) / below) / 1000;
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 100) : null;

function whole(value: unknown): number | null {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
