import { type Attachment, Attachments, type Call, MetaKeys } from '@lyceum/core';

/** The attachment with its lasting URL and the defaults of registered meta. */
export function presentMedia(call: Call, attachment: Attachment) {
  const { post, ...file } = attachment;
  const { id, blog_id, type, status, title, slug, excerpt, parent_id, author_id, created_at, modified_at } =
    post;
  return {
    ...file,
    id,
    blog_id,
    status,
    title,
    slug,
    caption: excerpt,
    url: call.get(Attachments).url(call.site, attachment),
    parent_id,
    author_id,
    meta: call.get(MetaKeys).shown('post', type, post.meta, call.state),
    created_at,
    modified_at,
  };
}
