import { Jobs, type Listener, type ListenerTools, on, type Post, SettingsService, State } from '@lyceum/core';
import { noteChange } from './posts/change-store.ts';
import { moduleId, readWish } from './site-wish.ts';

/** Several changes of one post within this time are one. */
const gatheredSeconds = 1;

/** A post that is or was to be found by the search is synced alone, soon after it changed. */
async function follow(post: Post, { trx, actor, get }: ListenerTools): Promise<void> {
  const state = await get(State).within(trx, post.blog_id);
  if (!state.isOn(moduleId) || !state.isOn('rag')) return;
  const wish = readWish(get(SettingsService), state);
  if (!wish.autoSync || !wish.postTypes.includes(post.type)) return;
  if (!(await noteChange(trx, post.blog_id, post.id))) return;
  await get(Jobs).enqueue(trx, {
    type: 'embedding.auto',
    payload: { post_ids: [post.id], mode: 'changed' },
    site: { blog_id: post.blog_id, network_id: actor.site.network_id },
    userId: null,
    startAfterSeconds: gatheredSeconds,
  });
}

const followWritten = on('post.writing', async ({ before, after }, tools) => {
  if (after.status === 'publish' || before?.status === 'publish') await follow(after, tools);
});

const followTrashed = on('post.trashed', ({ post }, tools) =>
  post.trashed_status === 'publish' ? follow(post, tools) : Promise.resolve(),
);

const followDeleted = on('post.deleted', ({ post }, tools) =>
  post.status === 'publish' ? follow(post, tools) : Promise.resolve(),
);

export const listeners: readonly Listener[] = [followWritten, followTrashed, followDeleted];
