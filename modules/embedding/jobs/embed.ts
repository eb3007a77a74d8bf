import { Clock, Database, defineJob } from '@lyceum/core';
import { ChunkStore } from '@lyceum/module/rag';
import { Embedders } from '../embedders.ts';
import { embedChunks } from '../sync/embed-chunks.ts';
import { openScope, type SyncPayload } from '../sync/open-scope.ts';
import { added, nothingDone } from '../sync/tally.ts';
import { syncErrors } from './sync-errors.ts';

/** Vectors for what a change of a post left without. */
export const embed = defineJob<SyncPayload>({
  id: 'embedding.embed',
  title: 'Embeds the chunks of a post that changed',
  errors: syncErrors,
  run: async (job) => {
    const scope = await openScope(job);
    const chunks = job.get(ChunkStore);
    const embedder = job.get(Embedders).of(scope.wish, scope.state);
    let tally = nothingDone;
    await embedChunks(job, scope, { chunks, embedder, now: () => job.get(Clock).now() }, (more) => {
      tally = added(tally, more);
      const done = tally.chunks_embedded + tally.chunks_failed;
      return { message: `Chunk ${done}.`, current: done, total: done, cursor: null };
    });
    const { chunks_embedded, chunks_failed, tokens } = tally;
    return { chunks_embedded, chunks_failed, tokens };
  },
  undo: (job) => job.get(ChunkStore).release(job.get(Database).knex, job.id),
});
