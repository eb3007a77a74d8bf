import type { Knex } from 'knex';

/** Tables of the installation, by oid. Those of pg-boss are in a schema of their own. */
export async function presentTables(sql: Knex): Promise<ReadonlyMap<number, string>> {
  const { rows } = (await sql.raw(
    `select oid::int as oid, relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
  )) as { rows: { oid: number; name: string }[] };
  return new Map(rows.map(({ oid, name }) => [oid, name]));
}

/** Notes which tables a step of a module made, renamed and dropped: they go with the module's data. */
export async function noteTables(
  trx: Knex.Transaction,
  moduleId: string,
  before: ReadonlyMap<number, string>,
): Promise<void> {
  const after = await presentTables(trx);
  const gone = [...before].filter(([oid, name]) => after.get(oid) !== name).map(([, name]) => name);
  if (gone.length > 0) await trx('module_tables').whereIn('name', gone).delete();
  const made = [...after].filter(([oid, name]) => before.get(oid) !== name);
  if (made.length === 0) return;
  await trx('module_tables')
    .insert(made.map(([, name]) => ({ name, module: moduleId })))
    .onConflict('name')
    .merge();
}
