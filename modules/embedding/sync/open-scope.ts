import { Database, fail, type JobRun, maxId, SettingsService, State } from '@lyceum/core';
import { ChunkStore, type SiteStore } from '@lyceum/module/rag';
import type { Knex } from 'knex';
import { Embedders } from '../embedders.ts';
import { forgetSite } from '../posts/post-state-store.ts';
import { siteAddress } from '../posts/site-address-store.ts';
import { embedderKey, readWish, recipeOf } from '../site-wish.ts';
import type { SyncScope } from './sync-scope.ts';

/** What a job of this module is told to do. */
export interface SyncPayload {
  /** Only these posts; null for all of the site. */
  readonly post_ids: readonly number[] | null;
  readonly mode: 'changed' | 'full';
}

/**
 * What a sync works on, by the settings of this moment. Leases that a lost run of the job left are given back.
 * @throws `embedding_store_unavailable` where retrieval is off
 */
export async function openScope(job: JobRun<SyncPayload>): Promise<SyncScope> {
  const { blog_id: blogId } = job.site;
  const state = await job.get(State).read(blogId);
  const site = await siteAddress(job.get(Database).knex, blogId);
  if (!state?.isOn('rag') || !site) return fail('embedding_store_unavailable');
  const wish = readWish(job.get(SettingsService), state);
  const embeds = job.get(Embedders).isInstalled(wish);
  await job.get(ChunkStore).release(job.get(Database).knex, job.id);
  const { post_ids: postIds, mode } = job.payload;
  return {
    ...{ jobId: job.id, blogId, state, site, wish, embeds },
    // What can be no id is no post.
    postIds: postIds?.filter((id) => id >= 1 && id <= maxId) ?? null,
    recipe: recipeOf(wish, embeds),
    postTypes: wish.postTypes,
    anew: mode === 'full',
  };
}

/** Makes the site's store, or makes it ready for another embedder or for vectors of another length. */
export async function openStore(trx: Knex.Transaction, chunks: ChunkStore, scope: SyncScope): Promise<void> {
  const store = await chunks.find(scope.blogId, trx);
  const asked = embedderKey(scope.wish);
  if (!store) {
    await forgetSite(trx, scope.blogId);
    // Nothing in it can be of another recipe.
    await chunks.put(trx, scope.blogId, { asked, embedder: asked, dimensions: null, recipe: scope.recipe });
  } else if (store.asked !== asked) {
    await chunks.put(trx, scope.blogId, { asked, embedder: asked, dimensions: null, recipe: store.recipe });
  } else if (scope.anew && scope.postIds === null) {
    await chunks.put(trx, scope.blogId, { ...kept(store), dimensions: null });
  }
}

/** Every text of the site was cut by the present recipe. */
export async function closeStore(trx: Knex.Transaction, chunks: ChunkStore, scope: SyncScope): Promise<void> {
  const store = await chunks.find(scope.blogId, trx);
  if (store && scope.postIds === null) {
    await chunks.put(trx, scope.blogId, { ...kept(store), recipe: scope.recipe });
  }
}

const kept = ({ asked, embedder, dimensions, recipe }: SiteStore) => ({
  asked,
  embedder,
  dimensions,
  recipe,
});
