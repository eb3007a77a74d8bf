import { defineJob, fail, Jobs, PostLinks, Shortcodes } from '@lyceum/core';
import { ChunkStore } from '@lyceum/module/rag';
import type { Knex } from 'knex';
import { dropChange } from '../posts/change-store.ts';
import { forgetPosts, nextPosts } from '../posts/post-state-store.ts';
import { isConfigured } from '../site-wish.ts';
import { cutPost } from '../sync/cut-post.ts';
import { openScope, openStore, type SyncPayload } from '../sync/open-scope.ts';
import type { SyncScope } from '../sync/sync-scope.ts';

/**
 * One post that changed. Its text is in the store in milliseconds, and found by its words; where vectors are wanted
 * another job asks for them, which may have to wait for a provider.
 */
export const auto = defineJob<SyncPayload>({
  id: 'embedding.auto',
  title: 'Follows a change of a post',
  lane: 'quick',
  errors: ['embedding_store_unavailable', 'embedding_limit'],
  run: async (job) => {
    const scope = await openScope(job);
    const chunks = job.get(ChunkStore);
    let result: Readonly<Record<string, unknown>> = {};
    await job.step(async (trx) => {
      const [id] = job.payload.post_ids ?? [];
      if (id === undefined) throw new Error('A change without a post.');
      // Waits for whoever is just writing the post: what he wrote is then read.
      await dropChange(trx, id);
      await openStore(trx, chunks, scope);
      result = await follow(
        trx,
        { chunks, links: job.get(PostLinks), shortcodes: job.get(Shortcodes) },
        scope,
        id,
      );
      const waiting = await chunks.countWaiting(trx, scope.blogId, [id]);
      if (waiting > 0 && isConfigured(scope.wish)) {
        await job.get(Jobs).enqueue(trx, {
          type: 'embedding.embed',
          payload: { post_ids: [id], mode: 'changed' },
          site: job.site,
          userId: null,
          startAfterSeconds: 0,
          // Beside a sync of the site, which may take long.
          gate: { name: `embedding:${scope.blogId}`, limit: 1 },
        });
      }
      return {};
    });
    return result;
  },
  withdraw: async ({ payload }, { trx }) => {
    for (const id of payload.post_ids ?? []) await dropChange(trx, id);
  },
});

async function follow(
  trx: Knex.Transaction,
  parts: Parameters<typeof cutPost>[1],
  scope: SyncScope,
  id: number,
): Promise<Readonly<Record<string, unknown>>> {
  const [post] = await nextPosts(trx, scope, scope.recipe, 0, 1);
  if (post && !post.isChanged) return { chunks_created: 0, chunks_deleted: 0 };
  const cut = post ? await cutPost(trx, parts, scope, id) : null;
  if (cut) {
    if (cut.created > cut.deleted && (await parts.chunks.count(scope.blogId, null)) > scope.wish.maxChunks) {
      fail('embedding_limit');
    }
    return { chunks_created: cut.created, chunks_deleted: cut.deleted };
  }
  const chunks_deleted = await parts.chunks.remove(trx, scope.blogId, [id]);
  await forgetPosts(trx, scope.blogId, [id]);
  return { chunks_created: 0, chunks_deleted };
}
