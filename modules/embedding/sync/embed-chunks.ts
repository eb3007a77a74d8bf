import { setTimeout as wait } from 'node:timers/promises';
import { fail, type JobRun } from '@lyceum/core';
import type { ChunkStore, EmbeddedChunk, LeasedChunk } from '@lyceum/module/rag';
import { embeddedText } from '../chunking/cut-document.ts';
import { type Embedder, EmbeddingError, type Vectors } from '../providers/embedder.ts';
import { embedderId, embedderKey } from '../site-wish.ts';
import { askProvider } from './ask-provider.ts';
import type { SyncScope } from './sync-scope.ts';
import type { Tally } from './tally.ts';

/** Milliseconds for which a batch belongs to its job; renewed before each try. */
const leaseMs = 5 * 60_000;

/** Milliseconds between looks at chunks that another job holds. */
const heldCheckMs = 250;

export interface EmbedParts {
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly now: () => Date;
}

/** Tells of a batch: what to add to the tally, in the transaction that stored it. */
export type BatchDone = (more: Pick<Tally, 'chunks_embedded' | 'chunks_failed' | 'tokens'>) => {
  readonly message: string;
  readonly current: number;
  readonly total: number;
  readonly cursor: unknown;
};

/** A chunk of a batch, and what came of it. */
type Outcome = { readonly chunk: LeasedChunk } & (
  | { readonly vector: readonly number[] }
  | { readonly error: string }
);

/**
 * Gives every pending chunk of the scope its vector, batch by batch. Chunks that another job is at are waited for,
 * so that at the end none is left.
 * @throws a coded error where the provider is of no use; what was done before stays
 */
export async function embedChunks(
  job: JobRun<unknown>,
  scope: SyncScope,
  parts: EmbedParts,
  done: BatchDone,
): Promise<void> {
  for (;;) {
    const batch = await lease(job, scope, parts);
    if (batch.length > 0) await embedBatch(job, scope, parts, batch, done);
    else if (!(await parts.chunks.isHeld(scope.blogId, scope.postIds, job.id))) return;
    else await wait(heldCheckMs, undefined, { signal: job.signal });
  }
}

async function lease(job: JobRun<unknown>, scope: SyncScope, parts: EmbedParts): Promise<LeasedChunk[]> {
  const { blogId, postIds } = scope;
  const until = new Date(parts.now().getTime() + leaseMs);
  let batch: LeasedChunk[] = [];
  await job.step(async (trx) => {
    const wish = { blogId, postIds, jobId: job.id, limit: parts.embedder.batch, until };
    batch = await parts.chunks.lease(trx, wish);
    return { phase: 'embed' };
  });
  return batch;
}

async function embedBatch(
  job: JobRun<unknown>,
  scope: SyncScope,
  parts: EmbedParts,
  batch: readonly LeasedChunk[],
  done: BatchDone,
): Promise<void> {
  let outcomes: readonly Outcome[];
  try {
    outcomes = await outcomesOf(job, parts, batch);
  } catch (error) {
    if (error instanceof EmbeddingError) await giveUp(job, parts.chunks, batch, error);
    throw error;
  }
  await store(job, scope, parts.chunks, outcomes, done);
}

/** What the provider makes of a batch; one that it refuses as a whole goes text by text, so that one fails alone. */
async function outcomesOf(
  job: JobRun<unknown>,
  parts: EmbedParts,
  batch: readonly LeasedChunk[],
): Promise<readonly Outcome[]> {
  try {
    return withVectors(batch, await ask(job, parts, batch));
  } catch (error) {
    if (!(error instanceof EmbeddingError) || !['refused', 'unusable'].includes(error.problem)) throw error;
    if (error.problem === 'unusable' || batch.length === 1) {
      return batch.map((chunk) => ({ chunk, error: error.message }));
    }
    const outcomes: Outcome[] = [];
    for (const chunk of batch) outcomes.push(...(await outcomesOf(job, parts, [chunk])));
    return outcomes;
  }
}

const ask = (job: JobRun<unknown>, { embedder, chunks, now }: EmbedParts, batch: readonly LeasedChunk[]) =>
  askProvider(embedder, batch.map(embeddedText), job.signal, () =>
    chunks.renew(job.id, new Date(now().getTime() + leaseMs)),
  );

const withVectors = (batch: readonly LeasedChunk[], vectors: Vectors): Outcome[] =>
  batch.map((chunk, at) => {
    const vector = vectors[at];
    return vector ? { chunk, vector } : { chunk, error: 'The vector holds something that is no number.' };
  });

async function store(
  job: JobRun<unknown>,
  scope: SyncScope,
  chunks: ChunkStore,
  outcomes: readonly Outcome[],
  done: BatchDone,
): Promise<void> {
  const made: EmbeddedChunk[] = outcomes.flatMap((outcome) =>
    'vector' in outcome ? [{ ...outcome.chunk, vector: outcome.vector }] : [],
  );
  const failed = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : []));
  const length = made[0]?.vector.length ?? 0;
  const embedder = embedderId(scope.wish, length);
  const { dimensions } = scope.wish;
  let fits =
    made.length === 0 || scope.wish.provider === 'builtin' || dimensions === null || dimensions === length;
  await job.step(async (trx) => {
    if (made.length > 0 && fits) {
      const asked = embedderKey(scope.wish);
      fits = await chunks.fixDimensions(trx, scope.blogId, { asked, embedder, dimensions: length });
    }
    const lost = fits
      ? failed
      : outcomes.map(({ chunk }) => ({ chunk, error: 'The vector has another length.' }));
    for (const { chunk, error } of lost) await chunks.fail(trx, job.id, [chunk.id_chunk], error);
    const stored = fits ? await chunks.storeVectors(trx, job.id, embedder, made) : 0;
    const tokens = fits ? sumOf(made, outcomes) : 0;
    return done({ chunks_embedded: stored, chunks_failed: lost.length, tokens });
  });
  if (!fits) fail('embedding_dimension_mismatch');
}

/** Tokens of what was embedded. */
const sumOf = (made: readonly EmbeddedChunk[], outcomes: readonly Outcome[]): number => {
  const ids = new Set(made.map(({ id_chunk }) => id_chunk));
  return outcomes.reduce((sum, { chunk }) => sum + (ids.has(chunk.id_chunk) ? chunk.token_count : 0), 0);
};

/** The provider is of no use: the batch goes back, and the job ends. */
async function giveUp(
  job: JobRun<unknown>,
  chunks: ChunkStore,
  batch: readonly LeasedChunk[],
  error: EmbeddingError,
): Promise<never> {
  const ids = batch.map(({ id_chunk }) => id_chunk);
  await job.step(async (trx) => {
    await chunks.giveBack(trx, job.id, ids, error.message);
    return {};
  });
  const code =
    error.problem === 'rejected' ? 'embedding_provider_rejected' : 'embedding_provider_unreachable';
  return fail(code, { message: error.message, cause: error });
}
