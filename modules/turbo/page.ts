import { type Call, editPost, fail, type Post, Posts, PostTypes } from '@lyceum/core';
import type { Knex } from 'knex';

/** Types of posts that are shown as pages. */
const shown: ReadonlySet<string> = new Set(['page', 'modal']);

/** The page of this id on the site, outside of the trash. @throws `turbo_page_not_found` */
export async function findPage(call: Call, id: number, sql?: Knex): Promise<Post> {
  return usable(await call.get(Posts).find(call.site.blog_id, id, sql));
}

function usable(post: Post | null): Post {
  return post && shown.has(post.type) && post.status !== 'trash' ? post : fail('turbo_page_not_found');
}

/** `edit_post` on the page. */
export function mayEdit(call: Call, page: Post): boolean {
  const type = call.get(PostTypes).get(page.type);
  return type !== null && editPost(call, page, type);
}

/** Whether the caller may read the page. */
export const mayRead = (call: Call, page: Post): boolean =>
  page.status === 'publish' ||
  (page.status === 'private' && call.can('read_private_pages')) ||
  mayEdit(call, page);
