import { id, time, yup } from '@lyceum/core';

/** A note as clients see it: only what stands here is ever sent. */
export const Note = yup.object({
  id: id().required(),
  author_id: id().required(),
  text: yup.string().required(),
  words: yup.number().integer().nullable().defined(),
  created_at: time().required(),
});
