import type { Knex } from 'knex';

/** Sites of one batch of a module that meets those of a network. */
export const sitesPerStep = 200;

/** Notes that a module has met the site; false when it had before. */
export async function noteMet(trx: Knex.Transaction, moduleId: string, blogId: number): Promise<boolean> {
  const rows = await trx('module_sites')
    .insert({ module: moduleId, blog_id: blogId })
    .onConflict(['module', 'blog_id'])
    .ignore()
    .returning('blog_id');
  return rows.length > 0;
}

/** Ready sites of the network after that one which the module has not met, in order. */
export async function unmetSites(
  sql: Knex,
  moduleId: string,
  networkId: number,
  after: number,
): Promise<number[]> {
  const met = sql('module_sites as m').where('m.module', moduleId).whereRaw('m.blog_id = s.blog_id');
  return (await sql('sites as s')
    .where({ 's.network_id': networkId, 's.state': 'ready' })
    .where('s.blog_id', '>', after)
    .whereNotExists(met.select(sql.raw('1')))
    .orderBy('s.blog_id')
    .limit(sitesPerStep)
    .pluck('s.blog_id')) as number[];
}

/** Main sites of all networks: jobs about a network belong to them. */
export const mainSites = (sql: Knex): Promise<{ network_id: number; blog_id: number }[]> =>
  sql('networks')
    .whereNotNull('root_blog_id')
    .orderBy('network_id')
    .select('network_id', { blog_id: 'root_blog_id' }) as never;

/** Notes version and last step of modules that are ready to serve; the ids that were not known before. */
export async function noteModules(
  trx: Knex.Transaction,
  modules: readonly { readonly id: string; readonly version: string; readonly migratedTo: string | null }[],
): Promise<string[]> {
  if (modules.length === 0) return [];
  const { rows } = (await trx.raw(
    `insert into module_state as m (id, version, migrated_to, ready)
       select id, version, migrated_to, true
       from unnest(?::text[], ?::text[], ?::text[]) as t (id, version, migrated_to) order by id
     on conflict (id) do update set version = excluded.version, migrated_to = excluded.migrated_to, ready = true
       where (m.version, m.migrated_to, m.ready) is distinct from (excluded.version, excluded.migrated_to, true)
     returning id, (select not o.ready from module_state o where o.id = m.id) is not false as first`,
    [
      modules.map(({ id }) => id),
      modules.map(({ version }) => version),
      modules.map(({ migratedTo }) => migratedTo) as string[],
    ],
  )) as { rows: { id: string; first: boolean }[] };
  return rows.filter(({ first }) => first).map(({ id }) => id);
}
