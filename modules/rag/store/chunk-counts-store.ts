import type { Knex } from 'knex';

/** How many chunks of a site stand where. */
export interface ChunkCounts {
  readonly total: number;
  readonly pending: number;
  readonly active: number;
  readonly indexing: number;
  readonly error: number;
}

/** One pass over the site's part of an index. */
export async function countChunks(sql: Knex, blogId: number): Promise<ChunkCounts> {
  const row = (await sql('rag_chunks')
    .where('blog_id', blogId)
    .first(
      sql.raw(`count(*)::int as total, count(*) filter (where status = 0)::int as pending,
        count(*) filter (where status = 1)::int as active, count(*) filter (where status = 2)::int as indexing,
        count(*) filter (where status = -1)::int as error`),
    )) as ChunkCounts | undefined;
  return row ?? { total: 0, pending: 0, active: 0, indexing: 0, error: 0 };
}

/** Chunks of the site, of these posts alone where they are named, and of this status alone where it is. */
export async function countIn(
  sql: Knex,
  blogId: number,
  postIds: readonly number[] | null,
  status?: number,
): Promise<number> {
  const query = sql('rag_chunks').where('blog_id', blogId);
  if (postIds) query.whereIn('id_post', postIds);
  if (status !== undefined) query.where('status', status);
  const row = (await query.count({ chunks: '*' }).first()) as { chunks: number } | undefined;
  return Number(row?.chunks ?? 0);
}
