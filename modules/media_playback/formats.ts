/** A format of single files, as players are told of it. */
export interface PlayedFormat {
  readonly key: string;
  readonly label: string;
  /** Pixels of the shorter side for which it is made; null for sound. */
  readonly size: number | null;
}

/** Formats of a video in the order in which they are offered. */
export const videoFormats: readonly PlayedFormat[] = [
  { key: 'mp4_1080', label: '1080p', size: 1080 },
  { key: 'mp4_720', label: '720p', size: 720 },
  { key: 'mp4_480', label: '480p', size: 480 },
  { key: 'webm_vp9', label: '720p VP9', size: 720 },
  { key: 'webm_av1', label: '1080p AV1', size: 1080 },
];

/** Formats of a sound, likewise. */
export const audioFormats: readonly PlayedFormat[] = [
  { key: 'm4a_aac', label: 'AAC', size: null },
  { key: 'ogg_opus', label: 'Opus', size: null },
  { key: 'mp3', label: 'MP3', size: null },
];

/** What else an attachment has one of. */
export const otherKeys = { hls: 'hls', poster: 'poster', thumbnails: 'thumbnails' } as const;

const sizes = [2160, 1440, 1080, 720, 576, 480, 360, 240] as const;

/** The step of the usual ladder that a picture reaches; null for one below all. */
export function sizeOf(width: number | null, height: number | null): number | null {
  if (width === null || height === null) return null;
  return sizes.find((size) => size <= Math.min(width, height)) ?? null;
}

interface Codecs {
  readonly video_codecs?: unknown;
  readonly audio_codecs?: unknown;
}

/** A type by RFC 6381, with as many codecs as are known. */
export function typeWith(mime: string, { video_codecs, audio_codecs }: Codecs): string {
  const codecs = [video_codecs, audio_codecs].filter((codec) => typeof codec === 'string' && codec !== '');
  // MPEG audio is nothing but itself.
  if (codecs.length === 0 || mime === 'audio/mpeg') return mime;
  return `${mime}; codecs="${codecs.join(', ')}"`;
}
