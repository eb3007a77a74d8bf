import type { Knex } from 'knex';

/** Where these chunks of the site stand, by id; one look into the index for each. */
export async function statusesOf(
  sql: Knex,
  blogId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = (await sql.raw(
    'select id_chunk, status from rag_chunks where id_chunk = any(?::bigint[]) and blog_id = ?',
    [ids, blogId] as never,
  )) as { rows: { id_chunk: number; status: number }[] };
  return new Map(rows.map(({ id_chunk, status }) => [id_chunk, status]));
}
