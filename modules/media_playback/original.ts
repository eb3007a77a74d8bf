import type { Attachment, MediaInfo } from '@lyceum/core';

type Known = Pick<MediaInfo, 'video_codec' | 'audio_codec' | 'video_codecs'>;

const oneOf =
  (...names: readonly string[]) =>
  (codec: string | null): boolean =>
    codec !== null && names.includes(codec);

/** Profiles of H.264 that browsers decode: eight bits, 4:2:0. */
const isPlainH264 = (codecs: string | null): boolean => /^avc1\.(?:42|4d|58|64)/.test(codecs ?? '');

const inMp4 = ({ video_codec, video_codecs, audio_codec }: Known): boolean => {
  const isSound = oneOf('aac', 'mp3')(audio_codec);
  if (video_codec === null) return isSound;
  return video_codec === 'h264' && isPlainH264(video_codecs) && (isSound || audio_codec === null);
};

const inWebm = ({ video_codec, audio_codec }: Known): boolean => {
  const isSound = oneOf('vorbis', 'opus')(audio_codec);
  if (video_codec === null) return isSound;
  return oneOf('vp8', 'vp9', 'av1')(video_codec) && (isSound || audio_codec === null);
};

const isSoundOnly = ({ video_codec }: Known): boolean => video_codec === null;

/** What browsers play, by the type of the file. */
const players: Readonly<Record<string, (known: Known) => boolean>> = {
  'video/mp4': inMp4,
  'audio/mp4': inMp4,
  'video/webm': inWebm,
  'audio/webm': inWebm,
  'audio/mpeg': isSoundOnly,
  'audio/ogg': (known) => isSoundOnly(known) && oneOf('opus', 'vorbis')(known.audio_codec),
  'audio/wav': isSoundOnly,
  'audio/flac': isSoundOnly,
};

/** Whether browsers play the uploaded file as it is. Of a file that nobody looked into this is not known. */
export function isPlayable({ mime_type, media_info }: Attachment): boolean {
  if (media_info === null || !Object.hasOwn(players, mime_type)) return false;
  return players[mime_type]?.(media_info) ?? false;
}
