import type { Knex } from 'knex';
import type { Database, NamedStatement } from '../../db/database.ts';
import type { Address } from '../../http/addresses.ts';
import type { SiteRecord } from './site-record.ts';

/** A record of a site `s` of the network `n`: one statement brings all of it. */
export const siteColumns = `
  s.blog_id, s.network_id, s.domain, s.path, s.slug, s.title, s.description, s.status_id,
  s.registered, s.last_updated, s.public, s.archived, s.deleted, s.spam, s.mature, s.is_template,
  n.root_blog_id = s.blog_id as is_main_site,
  (select jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug)
    from terms t where t.id = s.status_id) as status,
  to_jsonb(array(
    select jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug)
    from site_terms x join terms t on t.id = x.term_id where x.blog_id = s.blog_id order by t.id)) as categories`;

export const siteTables = 'sites s join networks n on n.network_id = s.network_id';

const siteById: NamedStatement = {
  name: 'site-by-id',
  text: `select ${siteColumns} from ${siteTables} where s.blog_id = $1 and s.state = 'ready'`,
};

/** A site of any network; null when there is none of this id. */
export async function findSite(db: Database, blogId: number): Promise<SiteRecord | null> {
  const [row] = await db.lookUp<SiteRecord>(siteById, [blogId]);
  return row ?? null;
}

/** The site as the transaction sees it, its row locked until the transaction ends. */
export async function lockSite(
  db: Database,
  trx: Knex.Transaction,
  blogId: number,
): Promise<SiteRecord | null> {
  // The lock first: a statement that had to wait would show categories of before the wait.
  const locked = await trx('sites').where({ blog_id: blogId, state: 'ready' }).forUpdate().first('blog_id');
  return locked ? readSite(db, trx, blogId) : null;
}

/** The site as the transaction sees it. */
export async function readSite(
  db: Database,
  trx: Knex.Transaction,
  blogId: number,
): Promise<SiteRecord | null> {
  const [row] = await db.named<SiteRecord>(siteById, [blogId], trx);
  return row ?? null;
}

/** Columns of a site that may change. */
export interface SiteColumns {
  readonly domain?: string | undefined;
  readonly path?: string | undefined;
  readonly slug?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly status_id?: number | null | undefined;
  readonly public?: number | undefined;
  readonly archived?: number | undefined;
  readonly deleted?: number | undefined;
  readonly spam?: number | undefined;
  readonly mature?: number | undefined;
  readonly is_template?: boolean | undefined;
}

/** Writes the columns and moves `last_updated`; a taken address violates `sites_address`. */
export async function updateSite(trx: Knex.Transaction, blogId: number, columns: SiteColumns): Promise<void> {
  // Not now(): that is when the transaction began, and it may have waited for another change.
  await trx('sites')
    .where({ blog_id: blogId })
    .update({ ...columns, last_updated: trx.raw('clock_timestamp()') });
}

/** Makes these the categories of the site. */
export async function replaceCategories(
  trx: Knex.Transaction,
  blogId: number,
  termIds: readonly number[],
): Promise<void> {
  await trx('site_terms')
    .where({ blog_id: blogId })
    .whereNotIn('term_id', [...termIds])
    .delete();
  if (termIds.length === 0) return;
  await trx('site_terms')
    .insert(termIds.map((term_id) => ({ blog_id: blogId, term_id })))
    .onConflict(['blog_id', 'term_id'])
    .ignore();
}

/** Memberships of each of these sites. */
export async function countMembers(
  db: Database,
  blogIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = (await db
    .knex('memberships')
    .whereIn('blog_id', [...blogIds])
    .groupBy('blog_id')
    .select('blog_id')
    .count({ members: '*' })) as { blog_id: number; members: number }[];
  return new Map(rows.map((row) => [row.blog_id, Number(row.members)]));
}

/** Where a network's sites lie, and which one is its main site. */
export interface NetworkPlace extends Address {
  readonly network_id: number;
  readonly root_blog_id: number;
}

export async function findNetworkPlace(sql: Knex, networkId: number): Promise<NetworkPlace> {
  const row = await sql<NetworkPlace>('networks')
    .where({ network_id: networkId })
    .first('network_id', 'domain', 'path', 'root_blog_id');
  if (!row) throw new Error(`There is no network ${networkId}.`);
  return row;
}

/** Makes the site the main one of its network. */
export async function setRootSite(trx: Knex.Transaction, networkId: number, blogId: number): Promise<void> {
  await trx('networks').where({ network_id: networkId }).update({ root_blog_id: blogId });
}

const taken: NamedStatement = {
  name: 'taken-addresses',
  text: `select asked.at::int as at from unnest($1::text[], $2::text[]) with ordinality as asked (domain, path, at)
    where exists (
      select 1 from sites s where s.domain = asked.domain and s.path = asked.path and s.state <> 'removed'
        and (s.blog_id, s.network_id) is distinct from ($3::int, $4::int))`,
};

/** A site, and the network that it must be of. */
export interface TakenExcept {
  readonly networkId: number;
  readonly blogId: number;
}

/**
 * Positions of the addresses at which a site lies, one in creation included.
 * @param except a site whose own address counts as free, if it is of this network
 */
export async function takenAddresses(
  db: Database,
  addresses: readonly Address[],
  except: TakenExcept | null,
): Promise<ReadonlySet<number>> {
  const rows = await db.lookUp<{ at: number }>(taken, [
    addresses.map(({ domain }) => domain),
    addresses.map(({ path }) => path),
    except?.blogId ?? null,
    except?.networkId ?? null,
  ]);
  return new Set(rows.map(({ at }) => at - 1));
}
