import { type Call, type Post, type PostType, PostTypes, readPost } from '@lyceum/core';
import { isId } from './section.ts';

/** Types whose records are put into sections. */
const assignable: readonly string[] = ['page', 'post'];

export const isAssignable = ({ type }: Pick<Post, 'type'>): boolean => assignable.includes(type);

/**
 * The record of this id on the call's site with its type; null in the trash, where its type cannot be used, and for
 * who may not see it.
 * @param read finds it by an id that may be asked for in SQL
 */
export async function findPost(
  call: Call,
  given: number,
  read: (id: number) => Promise<Post | null>,
): Promise<{ readonly post: Post; readonly type: PostType } | null> {
  const post = isId(given) ? await read(given) : null;
  if (!post || post.status === 'trash') return null;
  const type = call.get(PostTypes).usable(post.type, call.state);
  return type && readPost(call, post, type) ? { post, type } : null;
}
