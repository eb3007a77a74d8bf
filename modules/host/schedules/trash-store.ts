import type { SiteRef } from '@lyceum/core';
import type { Knex } from 'knex';

export interface TrashedPost {
  readonly id: number;
  readonly type: string;
  readonly site: SiteRef;
}

/** The next posts that have lain in the trash since before a time, after a certain one, by id. */
export async function longTrashed(
  sql: Knex,
  since: Date,
  after: number,
  limit: number,
): Promise<TrashedPost[]> {
  const rows = (await sql('posts as p')
    .join('sites as s', 's.blog_id', 'p.blog_id')
    .where('p.status', 'trash')
    .where('p.trashed_at', '<', since)
    .where('p.id', '>', after)
    .orderBy('p.id')
    .limit(limit)
    .select('p.id', 'p.type', 's.blog_id', 's.network_id')) as (SiteRef & { id: number; type: string })[];
  return rows.map(({ id, type, blog_id, network_id }) => ({ id, type, site: { blog_id, network_id } }));
}
