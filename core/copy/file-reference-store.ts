import type { Knex } from 'knex';

/**
 * Ids of the site's posts in whose texts these letters and digits stand, in order. The database reads each text
 * once; only those found are sent.
 */
export async function postsWith(sql: Knex, blogId: number, mark: string): Promise<number[]> {
  const { rows } = (await sql.raw(
    `select id from posts where blog_id = :blogId and (
       strpos(content, :mark) > 0 or strpos(excerpt, :mark) > 0
       or strpos(meta::text, :mark) > 0 or strpos(private_meta::text, :mark) > 0)
     order by id`,
    { blogId, mark },
  )) as { rows: { id: number }[] };
  return rows.map(({ id }) => id);
}

/** Ids of the site's terms, as `postsWith`. */
export async function termsWith(sql: Knex, blogId: number, mark: string): Promise<number[]> {
  const { rows } = (await sql.raw(
    `select id from terms where blog_id = :blogId and (strpos(icon, :mark) > 0 or strpos(meta::text, :mark) > 0)
     order by id`,
    { blogId, mark },
  )) as { rows: { id: number }[] };
  return rows.map(({ id }) => id);
}
