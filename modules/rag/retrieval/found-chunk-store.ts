import type { Knex } from 'knex';

/** A chunk with its post, as an answer needs them. */
export interface FoundChunk {
  readonly id_chunk: number;
  readonly id_post: number;
  readonly content: string;
  readonly heading_path: readonly string[];
  readonly title: string;
  readonly type: string;
  readonly slug: string;
  readonly parent_id: number;
}

/** Chunks of the site by id, of posts that are published at this moment. */
export async function readFound(
  sql: Knex,
  blogId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FoundChunk>> {
  const rows = (await sql('rag_chunks as c')
    .join('posts as p', (join) => join.on('p.id', 'c.id_post').andOn('p.blog_id', 'c.blog_id'))
    .where({ 'c.blog_id': blogId, 'p.status': 'publish' })
    .whereIn('c.id_chunk', ids)
    .select(
      'c.id_chunk',
      'c.id_post',
      'c.content',
      'p.title',
      'p.type',
      'p.slug',
      'p.parent_id',
      sql.raw(`c.metadata->'heading_path' as heading_path`),
    )) as FoundChunk[];
  return new Map(rows.map((row) => [row.id_chunk, row]));
}

/** Where the site lives; null when it is gone. */
export const siteAddress = async (
  sql: Knex,
  blogId: number,
): Promise<{ readonly blog_id: number; readonly domain: string; readonly path: string } | null> =>
  (await sql('sites').where('blog_id', blogId).first('blog_id', 'domain', 'path')) ?? null;
