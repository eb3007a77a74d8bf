import type { Knex } from 'knex';
import type { MetaDeclaration, TableDeclaration } from '../api/module.ts';
import { wishOption } from '../state/site-state.ts';

/** Files of one row of a module: whole keys, and folders of which all goes. */
export interface FilesOfRow {
  readonly keys: readonly string[];
  readonly folders: readonly string[];
}

/** Whether the installation knows of a module that it has no package of. */
export async function isKnown(sql: Knex, moduleId: string): Promise<boolean> {
  const { rows } = (await sql.raw(
    `select exists (select 1 from module_state where id = :id) or exists (select 1 from migrations where module = :id)
       or exists (select 1 from module_tables where module = :id) as known`,
    { id: moduleId },
  )) as { rows: { known: boolean }[] };
  return rows[0]?.known ?? false;
}

/** Networks in which the module is wished on, and how many sites have an override that says so. */
export async function wishedOn(
  sql: Knex,
  moduleId: string,
  byDefault: boolean,
): Promise<{ readonly networks: number[]; readonly sites: number }> {
  const name = wishOption(moduleId);
  const networks = (await sql('networks as n')
    .leftJoin('network_options as o', (join) => {
      join.on('o.network_id', 'n.network_id').andOnVal('o.name', name);
    })
    .whereRaw(`coalesce(o.value, to_jsonb(?::boolean)) = 'true'`, [byDefault])
    .orderBy('n.network_id')
    .pluck('n.network_id')) as number[];
  const sites = await sql('site_options')
    .where({ name })
    .whereRaw(`value = 'true'`)
    .count({ sites: '*' })
    .first();
  return { networks, sites: Number(sites?.sites ?? 0) };
}

/** Jobs of the module that run now, in any process. */
export async function runningJobs(sql: Knex, moduleId: string): Promise<number> {
  const row = await sql('jobs').where({ module: moduleId, status: 'running' }).count({ jobs: '*' }).first();
  return Number(row?.jobs ?? 0);
}

/** Tables that the module's steps made, and declared ones that are there, by name. */
export async function tablesOf(sql: Knex, moduleId: string, declared: readonly string[]): Promise<string[]> {
  const { rows } = (await sql.raw(
    `select c.relname as name from pg_class c left join module_tables t on t.name = c.relname
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
       and (t.module = ? or (t.module is null and c.relname = any(?::text[]))) order by 1`,
    [moduleId, [...declared]],
  )) as { rows: { name: string }[] };
  return rows.map(({ name }) => name);
}

/** Files that belong to rows of a table, a row at a time. */
export async function* filesOf(
  sql: Knex,
  table: string,
  { keys = [], folder }: NonNullable<TableDeclaration['files']>,
): AsyncGenerator<FilesOfRow> {
  const { rows } = (await sql.raw('select to_jsonb(r) as row from ?? r', [table])) as {
    rows: { row: Readonly<Record<string, unknown>> }[];
  };
  for (const { row } of rows) {
    const home = `sites/${String(row.blog_id)}/`;
    const named = folder
      ?.replace(/\/$/, '')
      .replaceAll(/\{(\w+)\}/g, (_all, column: string) => String(row[column]));
    yield {
      keys: keys
        .map((column) => row[column])
        .filter((key) => typeof key === 'string' && key.startsWith(home)) as string[],
      folders: named === undefined ? [] : [`${home}${named}`],
    };
  }
}

/** Drops tables together, as they may refer to each other; what else refers to them refuses it. */
export async function dropTables(trx: Knex.Transaction, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  await trx.raw(`drop table ${tables.map(() => '??').join(', ')}`, [...tables]);
  await trx('module_tables').whereIn('name', tables).delete();
}

/** Settings of the module in every network and on every site. Wishes stay: being off is no data of it. */
export async function deleteSettings(trx: Knex.Transaction, moduleId: string): Promise<number> {
  const start = `${wishOption(moduleId)}:`;
  const network = await trx('network_options').whereRaw('starts_with(name, ?)', [start]).delete();
  const site = await trx('site_options').whereRaw('starts_with(name, ?)', [start]).delete();
  return network + site;
}

/** Posts of these types, with their assignments. */
export async function deletePosts(trx: Knex.Transaction, types: readonly string[]): Promise<number> {
  if (types.length === 0) return 0;
  return trx('posts').whereIn('type', types).delete();
}

export async function deleteTerms(trx: Knex.Transaction, taxonomies: readonly string[]): Promise<number> {
  if (taxonomies.length === 0) return 0;
  return trx('terms').whereIn('taxonomy', taxonomies).delete();
}

/** Takes a registered key out of the meta of records that stay. */
export async function deleteMeta(trx: Knex.Transaction, { on, of, key }: MetaDeclaration): Promise<number> {
  const [table, column] = on === 'post' ? (['posts', 'type'] as const) : (['terms', 'taxonomy'] as const);
  const { rowCount } = (await trx.raw(
    `update ${table} set meta = meta - :key::text where ${column} = any(:of::text[]) and jsonb_exists(meta, :key)`,
    { key, of: [...of] },
  )) as { rowCount: number };
  return rowCount;
}

/** Jobs of the module, with their events. Their tickets find nothing to do. */
export const deleteJobs = (trx: Knex.Transaction, moduleId: string): Promise<number> =>
  trx('jobs').where('module', moduleId).delete() as unknown as Promise<number>;

/** What the host itself kept of the module; how many steps had run. */
export async function forgetModule(trx: Knex.Transaction, moduleId: string): Promise<number> {
  await trx('schedules')
    .whereRaw('starts_with(id, ?)', [`${moduleId}.`])
    .delete();
  for (const table of ['module_crashes', 'module_sites', 'module_tables']) {
    await trx(table).where('module', moduleId).delete();
  }
  await trx('module_state').where('id', moduleId).delete();
  return trx('migrations').where('module', moduleId).delete();
}
