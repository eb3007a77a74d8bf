import type { Knex } from 'knex';
import type { PageQuery } from '../../api/schema.ts';
import { containing } from '../../db/like.ts';
import type { SiteRecord } from './site-record.ts';
import { siteColumns, siteTables } from './site-store.ts';

/** Which sites of a network a list shows; what is absent does not choose. */
export interface SiteFilter {
  readonly network_id: number;
  /** Part of title, domain or path, in any case. */
  readonly search?: string | undefined;
  readonly status_id?: number | undefined;
  /** Of this category or of one below it. */
  readonly category_id?: number | undefined;
  /** A member. */
  readonly user_id?: number | undefined;
  readonly public?: number | undefined;
  readonly archived?: number | undefined;
  readonly deleted?: number | undefined;
  readonly spam?: number | undefined;
  readonly mature?: number | undefined;
  readonly is_template?: boolean | undefined;
}

/** What a list of sites may go by; ties by id. */
export const siteOrders = ['blog_id', 'title', 'registered', 'last_updated', 'path'] as const;

export interface SiteOrder extends PageQuery {
  readonly orderby: (typeof siteOrders)[number];
  readonly order: 'asc' | 'desc';
}

const columns = [
  'network_id',
  'status_id',
  'public',
  'archived',
  'deleted',
  'spam',
  'mature',
  'is_template',
] as const;

/** `union`, not `union all`: it ends even if parents should ever form a circle. */
const belowCategory = `s.blog_id in (select x.blog_id from site_terms x where x.term_id in (
  with recursive below as (
    select id from terms where id = ? and network_id = ?
    union select t.id from terms t join below b on t.parent = b.id and t.network_id = ?
  ) select id from below))`;

function matching(query: Knex.QueryBuilder, filter: SiteFilter): Knex.QueryBuilder {
  query.where('s.state', 'ready');
  for (const column of columns) {
    const value = filter[column];
    if (value !== undefined) query.where(`s.${column}`, value);
  }
  const { network_id, search, category_id, user_id } = filter;
  if (search !== undefined && search !== '') {
    query.whereRaw(
      '(s.title ilike ? or s.domain ilike ? or s.path ilike ?)',
      Array(3).fill(containing(search)),
    );
  }
  if (category_id !== undefined) query.whereRaw(belowCategory, [category_id, network_id, network_id]);
  if (user_id !== undefined) {
    query.whereRaw('s.blog_id in (select m.blog_id from memberships m where m.user_id = ?)', [user_id]);
  }
  return query;
}

/** One page of the sites that match, and how many there are in all: two statements. */
export async function listSites(
  sql: Knex,
  filter: SiteFilter,
  { page, per_page, orderby, order }: SiteOrder,
): Promise<{ readonly sites: SiteRecord[]; readonly total: number }> {
  const rows = matching(sql.from(sql.raw(siteTables)).select(sql.raw(siteColumns)), filter)
    .orderBy(`s.${orderby}`, order)
    .limit(per_page)
    .offset((page - 1) * per_page);
  if (orderby !== 'blog_id') rows.orderBy('s.blog_id', order);
  const counted = matching(sql.from('sites as s'), filter).count({ total: '*' }).first();
  const [sites, count] = await Promise.all([rows, counted]);
  return {
    sites: sites as SiteRecord[],
    total: Number((count as { total: unknown } | undefined)?.total ?? 0),
  };
}
