import type { Knex } from 'knex';
import type { PageQuery } from '../../api/schema.ts';
import type { Place } from './site-addresses.ts';
import type { SiteRecord } from './site-record.ts';
import { siteColumns, siteTables } from './site-store.ts';

/** A removed site that may come back. */
export interface RemovedSite extends SiteRecord {
  readonly removed_at: string;
}

/** The site is there no more; its rows and files wait for its return, or for the purge. */
export async function markRemoved(
  trx: Knex.Transaction,
  blogId: number,
  remains: 'kept' | 'purging',
): Promise<void> {
  await trx('sites')
    .where({ blog_id: blogId })
    .update({ state: 'removed', removed_at: trx.raw('clock_timestamp()'), remains });
}

/** The site is there again, at this address if one is given; a taken address violates `sites_address`. */
export async function markReady(trx: Knex.Transaction, blogId: number, place: Place | null): Promise<void> {
  await trx('sites')
    .where({ blog_id: blogId })
    .update({ ...place, state: 'ready', removed_at: null, remains: null });
}

/** Where a kept site was. */
export type FormerPlace = Place & { readonly network_id: number };

/** Network and address of a removed site whose data are kept, locked; null when there is none of this id. */
export async function lockKept(trx: Knex.Transaction, blogId: number): Promise<FormerPlace | null> {
  const row = await trx<FormerPlace>('sites')
    .where({ blog_id: blogId, remains: 'kept' } as never)
    .forUpdate()
    .first('network_id', 'domain', 'path', 'slug');
  return (row as FormerPlace | undefined) ?? null;
}

/** One page of the network's kept sites, first removed first, and how many there are. Two statements. */
export async function listKept(
  sql: Knex,
  networkId: number,
  { page, per_page }: PageQuery,
): Promise<{ readonly sites: RemovedSite[]; readonly total: number }> {
  const [sites, count] = await Promise.all([
    sql
      .from(sql.raw(siteTables))
      .where({ 's.network_id': networkId, 's.remains': 'kept' })
      .orderBy(['s.removed_at', 's.blog_id'])
      .limit(per_page)
      .offset((page - 1) * per_page)
      .select(sql.raw(siteColumns), 's.removed_at'),
    sql('sites').where({ network_id: networkId, remains: 'kept' }).count({ total: '*' }).first(),
  ]);
  return {
    sites: sites as RemovedSite[],
    total: Number((count as { total: unknown } | undefined)?.total ?? 0),
  };
}

/** Networks with removed sites of which something is left, and their main sites. */
export async function networksWithRemains(
  sql: Knex,
): Promise<readonly { readonly network_id: number; readonly root_blog_id: number }[]> {
  const remains = sql('sites as s').whereRaw('s.network_id = n.network_id').whereNotNull('s.remains');
  return (await sql('networks as n')
    .whereExists(remains.select(sql.raw('1')))
    .orderBy('n.network_id')
    .select('n.network_id', 'n.root_blog_id')) as { network_id: number; root_blog_id: number }[];
}

/** Sites of the network that a purge left half done: none of these jobs is about them any more. */
export async function halfPurged(
  trx: Knex.Transaction,
  networkId: number,
  jobType: string,
  limit: number,
): Promise<number[]> {
  const { rows } = (await trx.raw(
    `select s.blog_id from sites s where s.network_id = :networkId and s.remains = 'purging'
       and not exists (select 1 from jobs j where j.network_id = s.network_id and j.type = :jobType
         and j.status in ('pending', 'running') and (j.payload ->> 'blog_id')::int = s.blog_id)
     order by s.blog_id limit :limit`,
    { networkId, jobType, limit },
  )) as { rows: { blog_id: number }[] };
  return rows.map((row) => row.blog_id);
}

/** Gives up to so many kept sites up that were removed before that time: their ids. They cannot come back. */
export async function giveUpKept(
  trx: Knex.Transaction,
  networkId: number,
  removedBefore: Date,
  limit: number,
): Promise<number[]> {
  const due = trx('sites')
    .where({ network_id: networkId, remains: 'kept' })
    .where('removed_at', '<=', removedBefore)
    .orderBy(['removed_at', 'blog_id'])
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select('blog_id');
  const rows = (await trx('sites')
    .whereIn('blog_id', due)
    .update({ remains: 'purging' })
    .returning('blog_id')) as {
    blog_id: number;
  }[];
  return rows.map((row) => row.blog_id).sort((a, b) => a - b);
}

/** Whether the site is removed for good. */
export async function isGone(sql: Knex, blogId: number): Promise<boolean> {
  const row = await sql('sites')
    .where({ blog_id: blogId, state: 'removed' })
    .whereRaw(`remains is distinct from 'kept'`)
    .first('blog_id');
  return row !== undefined;
}

/** What is left of a site is its row, without words of its own. */
export async function markPurged(trx: Knex.Transaction, blogId: number): Promise<void> {
  await trx('sites')
    .where({ blog_id: blogId, state: 'removed' })
    .update({ title: '', description: '', status_id: null, remains: null });
}
