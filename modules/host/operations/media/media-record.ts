import { record, time, word, yup } from '@lyceum/core';

/** An attachment as the API shows it. Numbers are null where the file has no such thing, or there is no file. */
export const MediaRecord = yup.object({
  id: yup.number().integer().required(),
  blog_id: yup.number().integer().required(),
  status: word('publish', 'draft', 'private', 'pending', 'future', 'trash').required(),
  title: yup.string().defined(),
  slug: yup.string().required(),
  alt: yup.string().defined(),
  caption: yup.string().defined(),
  mime_type: yup.string().required(),
  filename: yup.string().required(),
  bytes: yup.number().integer().defined().nullable(),
  width: yup.number().integer().defined().nullable(),
  height: yup.number().integer().defined().nullable(),
  duration: yup.number().defined().nullable(),
  url: yup.string().defined(),
  source_url: yup.string().defined().nullable(),
  parent_id: yup.number().integer().required(),
  author_id: yup.number().integer().required(),
  meta: record().required(),
  created_at: time().required(),
  modified_at: time().required(),
});
