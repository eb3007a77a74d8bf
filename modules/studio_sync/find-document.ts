import { type Call, editPost, fail, type Post, Posts, type PostType, PostTypes } from '@lyceum/core';
import type { Knex } from 'knex';
import { documentTypes } from './document-item.ts';

/** The type while a studio edits it and its module is on. */
export function editedType(call: Call, type: string): PostType | null {
  const known = (documentTypes as readonly string[]).includes(type);
  return known ? call.get(PostTypes).usable(type, call.state) : null;
}

/** @throws `studio_sync_post_not_found`, `studio_sync_insufficient_permissions` */
export const findDocument = async (call: Call, postId: number): Promise<Post> =>
  checked(call, await call.get(Posts).find(call.site.blog_id, postId));

/** The same, locked until the transaction ends. */
export const lockDocument = async (trx: Knex.Transaction, call: Call, postId: number): Promise<Post> =>
  checked(call, await call.get(Posts).lock(trx, call.site.blog_id, postId));

function checked(call: Call, post: Post | null): Post {
  const type = post && editedType(call, post.type);
  if (!post || !type || post.status === 'trash') return fail('studio_sync_post_not_found');
  if (!editPost(call, post, type)) fail('studio_sync_insufficient_permissions');
  return post;
}
