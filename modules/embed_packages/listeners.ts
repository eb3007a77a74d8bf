import { on } from '@lyceum/core';
import { BindingStore } from './binding-store.ts';

/** A copy of a page on its own site shows what the page does; packages are of one site. */
export const followCopies = on('post.copied', async ({ source, post }, { trx, get }) => {
  if (source.blog_id === post.blog_id) await get(BindingStore).copy(trx, source.id, post.id);
});
