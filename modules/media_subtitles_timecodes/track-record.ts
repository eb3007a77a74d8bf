import { time, trackKinds, word, yup } from '@lyceum/core';

const number = () => yup.number().required();
const integer = () => number().integer();

/** A cue as it is stored; times in seconds. */
const CueItem = yup.object({
  id: yup.string().defined(),
  start: number(),
  end: number(),
  text: yup.string().defined(),
  settings: yup.string().defined(),
});

/** A track as the API shows it. */
export const TrackRecord = yup.object({
  index: integer(),
  kind: word(...trackKinds).required(),
  srclang: yup.string().defined(),
  label: yup.string().defined(),
  default: yup.boolean().required(),
  name: yup.string().required(),
  url: yup.string().required(),
  bytes: integer(),
  cues: integer(),
  duration: number(),
  created_at: time().required(),
  updated_at: time().required(),
  items: yup.array().of(CueItem.required()),
});

export const TrackList = yup.array().of(TrackRecord.required()).required();
