import { type Call, fail, type Post, Posts, type PostType, PostTypes, readPost } from '@lyceum/core';
import type { Knex } from 'knex';

export interface Found {
  readonly post: Post;
  readonly type: PostType;
}

function readable(call: Call, post: Post | null): Found | null {
  const type = post && call.get(PostTypes).usable(post.type, call.state);
  return post && type && readPost(call, post, type) ? { post, type } : null;
}

/** The post of this id with its type, if the caller may see it here: else it does not exist for him. */
export async function findReadable(call: Call, id: number): Promise<Found | null> {
  return readable(call, await call.get(Posts).find(call.site.blog_id, id));
}

/** The same, locked by the transaction. @throws `post_not_found` */
export async function lockReadable(trx: Knex.Transaction, call: Call, id: number): Promise<Found> {
  const post = await call.get(Posts).lock(trx, call.site.blog_id, id);
  return readable(call, post) ?? fail('post_not_found');
}

/** The type of this id, if records of it can be used here. */
export const usableType = (call: Call, id: string): PostType | null =>
  call.get(PostTypes).usable(id, call.state);
