import type { Knex } from 'knex';
import type { PageQuery } from '../../api/schema.ts';
import { containing } from '../../db/like.ts';
import { type NetworkRecord, operatorNetworkId } from './network-record.ts';

/** Seen by super admins of the network itself and by those who run the installation. */
const visible = `exists (select 1 from super_admins a where a.user_id = ? and a.network_id in (n.network_id, ?))`;

function networksSeenBy(sql: Knex, userId: number): Knex.QueryBuilder {
  return sql('networks as n')
    .join('sites as s', 's.blog_id', 'n.root_blog_id')
    .leftJoin('network_options as o', (join) => {
      join.on('o.network_id', 'n.network_id').andOnVal('o.name', 'site_name');
    })
    .whereRaw(visible, [userId, operatorNetworkId]);
}

const columns = (sql: Knex) => [
  'n.network_id',
  'n.domain',
  'n.path',
  'n.root_blog_id as site_id',
  's.title as site_name',
  sql.raw(`coalesce(o.value #>> '{}', '') as network_name`),
];

/** The network, or null when there is none of this id that the user may see. */
export async function findNetwork(
  sql: Knex,
  userId: number,
  networkId: number,
): Promise<NetworkRecord | null> {
  const row = await networksSeenBy(sql, userId).where('n.network_id', networkId).first(columns(sql));
  return (row as NetworkRecord | undefined) ?? null;
}

/** One page of the networks that the user may see, by id, and how many there are. Two statements. */
export async function listNetworks(
  sql: Knex,
  userId: number,
  search: string | undefined,
  { page, per_page }: PageQuery,
): Promise<{ readonly networks: NetworkRecord[]; readonly total: number }> {
  const matching = (): Knex.QueryBuilder => {
    const query = networksSeenBy(sql, userId);
    if (search === undefined || search === '') return query;
    const pattern = containing(search);
    return query.whereRaw(`(n.domain ilike ? or o.value #>> '{}' ilike ?)`, [pattern, pattern]);
  };
  const [networks, count] = await Promise.all([
    matching()
      .orderBy('n.network_id')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .select(columns(sql)),
    matching().count({ total: '*' }).first(),
  ]);
  return {
    networks: networks as NetworkRecord[],
    total: Number((count as { total: unknown } | undefined)?.total ?? 0),
  };
}

/** Whether a network or a site, one in creation too, lies at this path of one of the domains. */
export async function isTaken(sql: Knex, domains: readonly string[], path: string): Promise<boolean> {
  const { rows } = (await sql.raw(
    `select 1 from networks where domain = any(cast(:domains as text[])) and path = :path
    union all
    select 1 from sites where domain = any(cast(:domains as text[])) and path = :path and state <> 'removed'
    limit 1`,
    { domains: [...domains], path },
  )) as { rows: unknown[] };
  return rows.length > 0;
}

/** Whether there are this many networks. Ids are given in order, so most of the time the greatest one answers. */
export async function countReaches(sql: Knex, limit: number): Promise<boolean> {
  const greatest = await sql('networks').max({ id: 'network_id' }).first();
  if (((greatest as { id: number | null } | undefined)?.id ?? 0) < limit) return false;
  const counted = await sql('networks').count({ total: '*' }).first();
  return Number((counted as { total: unknown } | undefined)?.total ?? 0) >= limit;
}

export async function userExists(sql: Knex, userId: number): Promise<boolean> {
  return (await sql('users').where({ id: userId }).first('id')) !== undefined;
}
