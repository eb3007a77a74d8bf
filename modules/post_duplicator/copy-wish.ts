import { word, yup } from '@lyceum/core';

/** What a request wants of its copies; absent fields are as the page of the module says. */
export interface CopyWish {
  readonly title?: string | undefined;
  readonly status?: 'draft' | 'pending' | 'private' | 'publish' | undefined;
  readonly slug?: string | undefined;
  readonly parent_id?: number | undefined;
  readonly copy_meta: boolean;
  readonly copy_terms: boolean;
  readonly copy_children: boolean;
  readonly copy_attachments: boolean;
  readonly copy_author: boolean;
  readonly copy_date: boolean;
}

/** The fields that both routes share. */
export const wishFields = {
  title: yup.string().min(1).max(500),
  status: word('draft', 'pending', 'private', 'publish'),
  slug: yup.string().max(200),
  parent_id: yup.number().integer(),
  copy_meta: yup.boolean().default(true),
  copy_terms: yup.boolean().default(true),
  copy_children: yup.boolean().default(false),
  copy_attachments: yup.boolean().default(false),
  copy_author: yup.boolean().default(false),
  copy_date: yup.boolean().default(false),
};

/** A copy as the API shows it. */
export const CopyRecord = yup.object({
  post_id: yup.number().integer().required(),
  blog_id: yup.number().integer().required(),
  post_type: yup.string().required(),
  title: yup.string().defined(),
  slug: yup.string().required(),
  status: yup.string().required(),
  parent_id: yup.number().integer().required(),
  source_post_id: yup.number().integer().required(),
  source_blog_id: yup.number().integer().required(),
  children: yup.number().integer().required(),
  attachments: yup.number().integer().required(),
  terms: yup.number().integer().required(),
  edit_url: yup.string().required(),
});
