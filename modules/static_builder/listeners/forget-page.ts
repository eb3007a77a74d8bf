import { on } from '@lyceum/core';
import { Builds } from '../builds.ts';

/** What a page rendered to is of no use when the page is gone. */
export const forgetPage = on('post.deleted', async ({ post }, { trx, get }) => {
  if (post.type === 'page') await get(Builds).parts.cache.forgetPage(trx, post.blog_id, post.id);
});
