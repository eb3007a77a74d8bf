import { time, trackKinds, word, yup } from '@lyceum/core';

const number = () => yup.number().required();
const integer = () => number().integer();
const maybe = () => yup.number().nullable().defined();
const text = () => yup.string().defined();

const Source = yup.object({
  src: yup.string().required(),
  type: yup.string().required(),
  size: maybe().integer(),
  format: yup.string().required(),
  label: yup.string().required(),
  width: maybe().integer(),
  height: maybe().integer(),
  bytes: integer(),
  bitrate: integer(),
});

const Track = yup.object({
  kind: word(...trackKinds).required(),
  label: text(),
  srclang: text(),
  src: yup.string().required(),
  default: yup.boolean().required(),
  index: integer(),
});

/** What a player needs: a source object of Plyr, with more in it. */
export const PlaybackRecord = yup.object({
  attachment_id: integer(),
  blog_id: integer(),
  type: word('video', 'audio').required(),
  title: text(),
  playable: yup.boolean().required(),
  duration: maybe(),
  width: maybe().integer(),
  height: maybe().integer(),
  poster: text(),
  sources: yup.array().of(Source.required()).required(),
  hls: yup.object({ src: yup.string().required(), type: yup.string().required() }).nullable().defined(),
  tracks: yup.array().of(Track.required()).required(),
  previewThumbnails: yup.object({ enabled: yup.boolean().required(), src: text() }).required(),
  chapters: yup
    .array()
    .of(yup.object({ start: number(), end: number(), title: text() }).required())
    .required(),
  lang: yup.string().nullable().defined(),
  langs: yup.array().of(yup.string().required()).required(),
  preload: word('none', 'metadata', 'auto').required(),
  processing: yup
    .array()
    .of(
      yup
        .object({
          format: yup.string().required(),
          status: word('pending', 'running').required(),
          percent: number(),
        })
        .required(),
    )
    .required(),
  urls_expire_at: time().nullable().defined(),
});
