/** A format that attachments are encoded in. */
export interface Format {
  readonly key: string;
  readonly label: string;
  readonly kind: 'video' | 'audio';
  readonly container: string;
  readonly extension: string;
  readonly mime_type: string;
  readonly video_codec: string | null;
  readonly audio_codec: string;
  /** Pixels of the shorter side of the displayed picture at most. */
  readonly height: number | null;
  /** It says nothing new where the shorter side of the source is not over this. */
  readonly above: number;
  /** Encoders of ffmpeg; of alternatives the first that is there. */
  readonly encoders: readonly (readonly string[])[];
}

const h264 = ['libx264'];
const aac = ['aac'];
const opus = ['libopus'];

const mp4 = (height: number, above: number): Format => ({
  key: `mp4_${height}`,
  label: `MP4 ${height}p`,
  kind: 'video',
  container: 'mp4',
  extension: 'mp4',
  mime_type: 'video/mp4',
  video_codec: 'h264',
  audio_codec: 'aac',
  height,
  above,
  encoders: [h264, aac],
});

const webm = (codec: 'vp9' | 'av1', height: number, encoder: readonly string[]): Format => ({
  key: `webm_${codec}`,
  label: `WebM ${codec.toUpperCase()} ${height}p`,
  kind: 'video',
  container: 'webm',
  extension: 'webm',
  mime_type: 'video/webm',
  video_codec: codec,
  audio_codec: 'opus',
  height,
  above: 0,
  encoders: [encoder, opus],
});

const sound = (
  key: string,
  label: string,
  container: string,
  extension: string,
  mime_type: string,
  audio_codec: string,
  encoder: readonly string[],
): Format => ({
  ...{ key, label, kind: 'audio', container, extension, mime_type, audio_codec },
  ...{ video_codec: null, height: null, above: 0, encoders: [encoder] },
});

/** All of them, in the order in which they are shown. */
export const formats: readonly Format[] = [
  mp4(1080, 720),
  mp4(720, 480),
  mp4(480, 0),
  webm('vp9', 720, ['libvpx-vp9']),
  webm('av1', 1080, ['libsvtav1', 'libaom-av1']),
  {
    key: 'hls',
    label: 'HLS',
    kind: 'video',
    container: 'hls',
    extension: 'm3u8',
    mime_type: 'application/vnd.apple.mpegurl',
    video_codec: 'h264',
    audio_codec: 'aac',
    height: 1080,
    above: 0,
    encoders: [h264, aac],
  },
  sound('mp3', 'MP3', 'mp3', 'mp3', 'audio/mpeg', 'mp3', ['libmp3lame']),
  sound('ogg_opus', 'Ogg Opus', 'ogg', 'ogg', 'audio/ogg', 'opus', opus),
  sound('m4a_aac', 'M4A AAC', 'mp4', 'm4a', 'audio/mp4', 'aac', aac),
];

export const formatKeys: readonly string[] = formats.map(({ key }) => key);

export const formatOf = (key: string): Format | undefined => formats.find((format) => format.key === key);

/** The heights of an HLS ladder, from the greatest. */
export const rungs = [1080, 720, 480, 360] as const;

export type Inapplicable = 'upscale' | 'no_video' | 'no_audio';

/** What of a source decides which formats it can have. */
export interface SourceFacts {
  readonly width: number | null;
  readonly height: number | null;
  readonly video_codec: string | null;
  readonly audio_codec: string | null;
}

/** Why a source cannot have the format; null when it can. */
export function inapplicable(format: Format, source: SourceFacts): Inapplicable | null {
  if (format.kind === 'audio') return source.audio_codec === null ? 'no_audio' : null;
  if (source.video_codec === null || source.width === null || source.height === null) return 'no_video';
  return Math.min(source.width, source.height) > format.above ? null : 'upscale';
}
