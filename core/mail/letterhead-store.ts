import type { Knex } from 'knex';

export interface LetterheadRow {
  readonly title: string;
  readonly domain: string;
  readonly path: string;
  /** Of the network; may be empty. */
  readonly admin_email: string | null;
  readonly language: string | null;
}

export async function findLetterhead(sql: Knex, blogId: number): Promise<LetterheadRow | null> {
  const row = (await sql('sites as s')
    .where({ 's.blog_id': blogId, 's.state': 'ready' })
    .first(
      's.title',
      's.domain',
      's.path',
      sql.raw(`(select value #>> '{}' from network_options
        where network_id = s.network_id and name = 'admin_email') as admin_email`),
      sql.raw(`(select value #>> '{}' from site_options
        where blog_id = s.blog_id and name = 'default_lang') as language`),
    )) as LetterheadRow | undefined;
  return row ?? null;
}
