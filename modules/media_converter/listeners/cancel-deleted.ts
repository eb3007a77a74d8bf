import { on } from '@lyceum/core';
import { MediaQueue } from '../queue/media-queue.ts';

/** Nothing is made any more of an attachment that is gone. */
export const cancelDeleted = on('post.deleted', async ({ post }, { trx, get }) => {
  if (post.type === 'attachment') await get(MediaQueue).cancelOf(trx, post.blog_id, post.id);
});
