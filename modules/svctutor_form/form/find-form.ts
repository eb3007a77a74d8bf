import { type Call, editPost, fail, maxId, type Post, Posts, PostTypes } from '@lyceum/core';
import type { Knex } from 'knex';
import { formType } from './form.ts';

/** The form of this id on the site, outside of the trash. */
export async function findForm(call: Call, id: number): Promise<Post> {
  return usable(isPossible(id) ? await call.get(Posts).find(call.site.blog_id, id) : null);
}

/** The same, locked until the transaction ends. */
export async function lockForm(trx: Knex.Transaction, call: Call, id: number): Promise<Post> {
  return usable(isPossible(id) ? await call.get(Posts).lock(trx, call.site.blog_id, id) : null);
}

/** False for a number that no record can have. @throws `invalid_id` for one below 1 */
const isPossible = (id: number): boolean => (id < 1 ? fail('invalid_id') : id <= maxId);

function usable(post: Post | null): Post {
  if (!post) fail('post_not_found');
  if (post.type !== formType) fail('invalid_post_type');
  if (post.status === 'trash') fail('entity_not_found');
  return post;
}

/** Codes of the two above. */
export const findErrors = ['invalid_id', 'post_not_found', 'invalid_post_type', 'entity_not_found'] as const;

/** Whether the caller may edit the form. */
export function mayEdit(call: Call, form: Pick<Post, 'author_id'>): boolean {
  const type = call.get(PostTypes).get(formType);
  return type !== null && editPost(call, form, type);
}

/** @throws `invalid_permissions` unless the caller may edit the form */
export function editable(call: Call, form: Post): Post {
  return mayEdit(call, form) ? form : fail('invalid_permissions');
}
