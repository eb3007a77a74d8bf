import { Database, defineJob } from '@lyceum/core';
import { ChunkStore } from '@lyceum/module/rag';
import type { SyncPayload } from '../sync/open-scope.ts';
import { SyncRun } from '../sync/run-sync.ts';
import { syncErrors } from './sync-errors.ts';

export const sync = defineJob<SyncPayload>({
  id: 'embedding.sync',
  title: 'Brings chunks and vectors of a site up to date',
  errors: syncErrors,
  run: (job) => new SyncRun(job).run(),
  undo: (job) => job.get(ChunkStore).release(job.get(Database).knex, job.id),
});
