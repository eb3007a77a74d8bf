import type { Knex } from 'knex';

/** Where the site lives; null when it is gone. */
export const siteAddress = async (
  sql: Knex,
  blogId: number,
): Promise<{ readonly blog_id: number; readonly domain: string; readonly path: string } | null> =>
  (await sql('sites').where('blog_id', blogId).first('blog_id', 'domain', 'path')) ?? null;
