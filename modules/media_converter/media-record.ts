import {
  type Attachment,
  Attachments,
  type Call,
  FileLinks,
  type MediaInfo,
  PlaybackArtifacts,
  word,
  yup,
} from '@lyceum/core';
import { reasonOf } from './choose-formats.ts';
import { kindOf } from './find-media.ts';
import { formatKeys } from './formats.ts';
import { posterKey } from './poster.ts';
import { MediaQueue } from './queue/media-queue.ts';

const count = () => yup.number().integer().nullable().defined();

const MediaFormat = yup.object({
  exists: yup.boolean().required(),
  url: yup.string().defined(),
  bytes: count(),
  applicable: yup.boolean().required(),
  reason: yup.string().nullable().defined(),
});

/** A film or sound, and what was made of it. */
export const MediaRecord = yup.object({
  attachment_id: yup.number().integer().required(),
  blog_id: yup.number().integer().required(),
  title: yup.string().defined(),
  kind: word('video', 'audio').required(),
  mime_type: yup.string().required(),
  url: yup.string().defined(),
  bytes: yup.number().integer().required(),
  duration: yup.number().required(),
  width: count(),
  height: count(),
  rotation: yup.number().integer().required(),
  frame_rate: yup.number().nullable().defined(),
  bit_rate: yup.number().integer().required(),
  video_codec: yup.string().nullable().defined(),
  audio_codec: yup.string().nullable().defined(),
  audio_channels: count(),
  audio_sample_rate: count(),
  formats: yup.object(Object.fromEntries(formatKeys.map((key) => [key, MediaFormat.required()]))).required(),
  poster: yup.string().defined(),
  queue_keys: yup.array().of(yup.string().required()).required(),
});

export async function presentMedia(call: Call, attachment: Attachment, info: MediaInfo | null) {
  const { post, mime_type, bytes, width, height, duration } = attachment;
  const [artifacts, queue_keys] = await Promise.all([
    call.get(PlaybackArtifacts).list(call.site.blog_id, post.id, {}),
    call.get(MediaQueue).activeKeys(call.site.blog_id, post.id),
  ]);
  const url = (path: string): string => call.get(FileLinks).plain(call.site, path);
  const formats = formatKeys.map((key) => {
    const made = artifacts.find(({ format_key }) => format_key === key);
    const reason = reasonOf(key, info);
    const shown = { exists: made !== undefined, url: made ? url(made.path) : '', bytes: made?.bytes ?? null };
    return [key, { ...shown, applicable: reason === null, reason }] as const;
  });
  const poster = artifacts.find(({ format_key }) => format_key === posterKey);
  return {
    ...{ attachment_id: post.id, blog_id: post.blog_id, title: post.title, mime_type, bytes: bytes ?? 0 },
    kind: kindOf(attachment) ?? 'audio',
    url: call.get(Attachments).url(call.site, attachment),
    duration: info?.duration ?? duration ?? 0,
    width: info ? info.width : width,
    height: info ? info.height : height,
    rotation: info?.rotation ?? 0,
    frame_rate: info?.frame_rate ?? null,
    bit_rate: info?.bit_rate ?? 0,
    video_codec: info?.video_codec ?? null,
    audio_codec: info?.audio_codec ?? null,
    audio_channels: info?.audio_channels ?? null,
    audio_sample_rate: info?.audio_sample_rate ?? null,
    formats: Object.fromEntries(formats),
    poster: poster ? url(poster.path) : '',
    queue_keys,
  };
}
