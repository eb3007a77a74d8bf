import { record, time, word, yup } from '@lyceum/core';

/** A post as the API shows it; lists leave the long fields out unless they are asked for. */
export const PostRecord = yup.object({
  id: yup.number().integer().required(),
  blog_id: yup.number().integer().required(),
  type: yup.string().required(),
  status: word('publish', 'draft', 'private', 'pending', 'future', 'trash').required(),
  title: yup.string().defined(),
  slug: yup.string().required(),
  content: yup.string(),
  excerpt: yup.string().defined(),
  author_id: yup.number().integer().required(),
  parent_id: yup.number().integer().required(),
  menu_order: yup.number().integer().required(),
  lang: yup.string().required(),
  featured_media: yup.number().integer().required(),
  terms: record({ type: 'array', items: { type: 'integer' } }).required(),
  meta: record(),
  hash: yup.string().required(),
  permalink: yup.string().required(),
  edit_url: yup.string().required(),
  created_at: time().required(),
  modified_at: time().required(),
});
