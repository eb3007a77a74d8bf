import { type Call, Documents, type Post, PostLinks } from '@lyceum/core';

/** A document as a studio sees it; what the text is too much for leaves it out. */
export async function presentDocument(call: Call, post: Post, revisionId: number | null): Promise<object> {
  const permalinks = await call.get(PostLinks).permalinks(call.site, [post]);
  const { editor, content, hash } = call.get(Documents).of(post);
  return {
    post_id: post.id,
    post_type: post.type,
    slug: post.slug,
    editor,
    hash,
    title: post.title,
    status: post.status,
    content,
    modified_at: post.modified_at,
    permalink: permalinks.get(post.id),
    parent_id: post.parent_id,
    menu_order: post.menu_order,
    lang: post.lang,
    revision_id: revisionId,
  };
}
