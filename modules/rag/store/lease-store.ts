import type { Knex } from 'knex';
import type { EmbeddedChunk, LeasedChunk } from './stored-chunk.ts';

/** Failures that may pass, after which a chunk counts as broken. */
const mostAttempts = 5;

/** Who leases, and what. */
export interface LeaseWish {
  readonly blogId: number;
  readonly jobId: string;
  /** Only chunks of these posts; null for all of the site. */
  readonly postIds: readonly number[] | null;
  readonly limit: number;
  readonly until: Date;
}

/** Takes pending chunks for one worker, in the order of their ids; nobody else gets them meanwhile. */
export async function leaseChunks(trx: Knex.Transaction, wish: LeaseWish): Promise<LeasedChunk[]> {
  const { blogId, jobId, postIds, limit, until } = wish;
  const { rows } = (await trx.raw(
    `with taken as (
      select id_chunk from rag_chunks
      where blog_id = ? and status = 0 and (?::int[] is null or id_post = any(?))
      order by id_chunk limit ? for no key update skip locked
    )
    update rag_chunks c set status = 2, lease_until = ?, lease_job = ?, updated_at = now()
    from taken where c.id_chunk = taken.id_chunk
    returning c.id_chunk, c.content, c.embed_hash, c.token_count,
      c.metadata->>'title' as title, c.metadata->'heading_path' as heading_path`,
    [blogId, postIds, postIds, limit, until, jobId] as never,
  )) as { rows: LeasedChunk[] };
  return rows.sort((a, b) => a.id_chunk - b.id_chunk);
}

/** Stores vectors of leased chunks; one whose text changed meanwhile is no longer held and gets none. */
export async function storeVectors(
  trx: Knex.Transaction,
  jobId: string,
  embedder: string,
  chunks: readonly EmbeddedChunk[],
  column: 'vector' | 'real[]',
): Promise<number> {
  if (chunks.length === 0) return 0;
  const open = column === 'vector' ? '[' : '{';
  const close = column === 'vector' ? ']' : '}';
  const texts = chunks.map(({ vector }) => `${open}${vector.join(',')}${close}`);
  const { rowCount } = (await trx.raw(
    `update rag_chunks c set status = 1, embedding = made.vector::${column}, embedder = ?, vector_hash = made.hash,
      attempts = 0, error = null, lease_until = null, lease_job = null, updated_at = now()
    from unnest(?::bigint[], ?::text[], ?::text[]) as made (id_chunk, hash, vector)
    where c.id_chunk = made.id_chunk and c.status = 2 and c.lease_job = ? and c.embed_hash = made.hash`,
    [
      embedder,
      chunks.map(({ id_chunk }) => id_chunk),
      chunks.map(({ embed_hash }) => embed_hash),
      texts,
      jobId,
    ] as never,
  )) as { rowCount: number };
  return rowCount;
}

/** Marks leased chunks that will never get a vector as they are. */
export const failChunks = (
  trx: Knex.Transaction,
  jobId: string,
  ids: readonly number[],
  error: string,
): Promise<number> =>
  trx('rag_chunks')
    .whereIn('id_chunk', ids)
    .where({ status: 2, lease_job: jobId })
    .update({ status: -1, error, lease_until: null, lease_job: null, updated_at: trx.fn.now() });

/** Gives leased chunks back after a failure that may pass; after the fifth in a row they count as broken. */
export async function returnChunks(
  trx: Knex.Transaction,
  jobId: string,
  ids: readonly number[],
  error: string,
): Promise<void> {
  await trx.raw(
    `update rag_chunks set attempts = attempts + 1, status = case when attempts + 1 >= ? then -1 else 0 end,
      error = ?, lease_until = null, lease_job = null, updated_at = now()
    where id_chunk = any(?) and status = 2 and lease_job = ?`,
    [mostAttempts, error, ids, jobId] as never,
  );
}

/** Makes the leases of a job end later. */
export const renewLeases = (sql: Knex, jobId: string, until: Date): Promise<number> =>
  sql('rag_chunks').where({ status: 2, lease_job: jobId }).update({ lease_until: until });

/** Whether another job is at chunks of the site, or of these posts. */
export async function isHeldByOther(
  sql: Knex,
  blogId: number,
  postIds: readonly number[] | null,
  jobId: string,
): Promise<boolean> {
  const held = sql('rag_chunks').where({ blog_id: blogId, status: 2 }).whereNot('lease_job', jobId);
  if (postIds) held.whereIn('id_post', postIds);
  return (await held.first('id_chunk')) !== undefined;
}

/** Gives back all that a job holds, as if it had not taken it. */
export const releaseJob = (sql: Knex, jobId: string): Promise<number> =>
  sql('rag_chunks')
    .where({ status: 2, lease_job: jobId })
    .update({ status: 0, lease_until: null, lease_job: null, updated_at: sql.fn.now() });

/** Gives back what nobody can be working on any more: leases that ran out, and those of jobs that have ended. */
export async function releaseLost(sql: Knex, now: Date): Promise<number> {
  const { rowCount } = (await sql.raw(
    `update rag_chunks c set status = 0, lease_until = null, lease_job = null, updated_at = now()
    where c.status = 2 and (c.lease_until is null or c.lease_until <= ?
      or not exists (select 1 from jobs j where j.job_id = c.lease_job and j.status = 'running'))`,
    [now],
  )) as { rowCount: number };
  return rowCount;
}

/** Broken chunks of the site get another chance. */
export const retryBroken = (
  sql: Knex,
  blogId: number,
  postIds: readonly number[] | null,
): Promise<number> => {
  const broken = sql('rag_chunks').where({ blog_id: blogId, status: -1 });
  if (postIds) broken.whereIn('id_post', postIds);
  return broken.update({ status: 0, attempts: 0, error: null, updated_at: sql.fn.now() });
};
