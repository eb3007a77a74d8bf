import type { Database } from '@lyceum/core';
import type { Knex } from 'knex';
import { chunkStatus } from '../chunk-status.ts';
import { type ChunkCounts, countChunks, countIn } from './chunk-counts-store.ts';
import { statusesOf } from './chunk-status-store.ts';
import { removeChunks, replaceChunks } from './chunk-write-store.ts';
import {
  failChunks,
  isHeldByOther,
  type LeaseWish,
  leaseChunks,
  releaseJob,
  releaseLost,
  renewLeases,
  retryBroken,
  returnChunks,
  storeVectors,
} from './lease-store.ts';
import { findSiteStore, fixDimensions, putSiteStore, type SiteStore } from './site-store-store.ts';
import type {
  ChunkSource,
  EmbeddedChunk,
  EmbeddingPlan,
  LeasedChunk,
  NewChunk,
  ReplacedChunks,
} from './stored-chunk.ts';
import { extensionVersion, type VectorBackend, vectorBackend } from './vector-column-store.ts';
import { indexVectors } from './vector-index-store.ts';

/** The store for whoever fills it. Every write is part of its caller's transaction; whether retrieval is on he asks. */
export class ChunkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What the site's store is made with; null before its first sync. */
  find(blogId: number, sql: Knex = this.#db.knex): Promise<SiteStore | null> {
    return findSiteStore(sql, blogId);
  }

  /** Makes the store, or changes what it is made with. */
  put(
    trx: Knex.Transaction,
    blogId: number,
    store: Omit<SiteStore, 'created_at' | 'backend'>,
  ): Promise<void> {
    return vectorBackend(trx).then((backend) => putSiteStore(trx, blogId, { ...store, backend }));
  }

  /** Says how long vectors are; false when those of this embedder have another length already. */
  fixDimensions(
    trx: Knex.Transaction,
    blogId: number,
    store: Pick<SiteStore, 'asked' | 'embedder'> & { readonly dimensions: number },
  ): Promise<boolean> {
    return fixDimensions(trx, blogId, store);
  }

  /** Makes these the chunks of the post: equal texts keep their ids, what is unchanged is not written. */
  replace(
    trx: Knex.Transaction,
    source: ChunkSource,
    chunks: readonly NewChunk[],
    plan: EmbeddingPlan,
  ): Promise<ReplacedChunks> {
    return replaceChunks(trx, source, chunks, plan);
  }

  /** Removes all chunks of these posts; how many there were. */
  remove(trx: Knex.Transaction, blogId: number, postIds: readonly number[]): Promise<number> {
    return removeChunks(trx, blogId, postIds);
  }

  /** Takes pending chunks for a job; nobody else gets them until they are stored, failed or given back. */
  lease(trx: Knex.Transaction, wish: LeaseWish): Promise<LeasedChunk[]> {
    return leaseChunks(trx, wish);
  }

  /** Makes what a job holds its own for longer. */
  async renew(jobId: string, until: Date): Promise<void> {
    await renewLeases(this.#db.knex, jobId, until);
  }

  /** Whether another job holds chunks of the site, or of these posts. */
  isHeld(blogId: number, postIds: readonly number[] | null, jobId: string): Promise<boolean> {
    return isHeldByOther(this.#db.knex, blogId, postIds, jobId);
  }

  /** Stores vectors of chunks that the job holds; how many it still held. */
  async storeVectors(
    trx: Knex.Transaction,
    jobId: string,
    embedder: string,
    chunks: readonly EmbeddedChunk[],
  ): Promise<number> {
    const backend = await vectorBackend(trx);
    return storeVectors(trx, jobId, embedder, chunks, backend === 'pgvector' ? 'vector' : 'real[]');
  }

  /** Marks chunks that the job holds as broken. */
  fail(trx: Knex.Transaction, jobId: string, ids: readonly number[], error: string): Promise<number> {
    return failChunks(trx, jobId, ids, error);
  }

  /** Gives chunks back after a failure that may pass; the fifth in a row breaks them. */
  giveBack(trx: Knex.Transaction, jobId: string, ids: readonly number[], error: string): Promise<void> {
    return returnChunks(trx, jobId, ids, error);
  }

  /** Gives back all that a job holds, as if it had not taken it. */
  release(sql: Knex, jobId: string): Promise<number> {
    return releaseJob(sql, jobId);
  }

  /** Gives back what nobody works on any more. */
  releaseLost(now: Date): Promise<number> {
    return releaseLost(this.#db.knex, now);
  }

  /** Broken chunks of the site, or of these posts, get another chance. */
  retryBroken(trx: Knex.Transaction, blogId: number, postIds: readonly number[] | null): Promise<number> {
    return retryBroken(trx, blogId, postIds);
  }

  /** Where these chunks of the site stand; unknown ids are absent. */
  statuses(blogId: number, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return statusesOf(this.#db.knex, blogId, ids);
  }

  counts(blogId: number): Promise<ChunkCounts> {
    return countChunks(this.#db.knex, blogId);
  }

  /** Chunks of the site, or of these posts. */
  count(blogId: number, postIds: readonly number[] | null): Promise<number> {
    return countIn(this.#db.knex, blogId, postIds);
  }

  /** Those of them that wait for a vector. */
  countWaiting(sql: Knex, blogId: number, postIds: readonly number[] | null): Promise<number> {
    return countIn(sql, blogId, postIds, chunkStatus.pending);
  }

  /** How vectors are kept here. */
  async backend(): Promise<{ readonly backend: VectorBackend; readonly version: string | null }> {
    const [backend, version] = await Promise.all([
      vectorBackend(this.#db.knex),
      extensionVersion(this.#db.knex),
    ]);
    return { backend, version };
  }

  /** Gives a site with many vectors an index of its own, and takes one away that fits no more. */
  index(blogId: number): Promise<void> {
    return indexVectors(this.#db, blogId);
  }
}
