import { Clock, on } from '@lyceum/core';
import { mediaName } from './static/site-media.ts';
import { StaticStore } from './static/static-store.ts';

/** A page that is public no longer takes its folders along, in the same moment. */
export const listeners = [
  on('post.writing', async ({ before, after }, { trx, get }) => {
    if (before?.status !== 'publish' || after.status === 'publish') return;
    await get(StaticStore).withdraw(trx, before.blog_id, before.id, get(Clock).now());
  }),
  on('post.trashed', ({ post }, { trx, get }) =>
    get(StaticStore).withdraw(trx, post.blog_id, post.id, get(Clock).now()),
  ),
  // Its address stays, so nothing of the pages that name it does change.
  on('attachment.replaced', async ({ before: { post, file_key, sha256 } }, { trx, get }) => {
    if (file_key === null) return;
    await get(StaticStore).outdate(trx, post.blog_id, mediaName({ file_key, sha256 }));
  }),
  on('post.deleted', ({ post }, { trx, get }) =>
    get(StaticStore).withdraw(trx, post.blog_id, post.id, get(Clock).now()),
  ),
];
