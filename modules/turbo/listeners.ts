import { Clock, on } from '@lyceum/core';
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
  on('post.deleted', ({ post }, { trx, get }) =>
    get(StaticStore).withdraw(trx, post.blog_id, post.id, get(Clock).now()),
  ),
];
