import type { Knex } from 'knex';
import type { Column, TableFacts } from './table-plan.ts';

interface ColumnRow extends Column {
  readonly table: string;
  /** Place in the primary key; null outside of it. */
  readonly key: number | null;
}

/** Columns and primary keys of those of the tables that exist. */
export async function readTableFacts(
  sql: Knex,
  tables: readonly string[],
): Promise<ReadonlyMap<string, TableFacts>> {
  const { rows } = (await sql.raw(
    `select c.table_name as table, c.column_name as name, c.udt_name as type, c.is_nullable = 'YES' as nullable,
       c.data_type in ('integer', 'bigint')
         and (c.is_identity = 'YES' or coalesce(c.column_default like 'nextval(%', false)) as counted,
       k.ordinal_position::int as key
     from information_schema.columns c
     left join (
       select u.table_name, u.column_name, u.ordinal_position
       from information_schema.table_constraints t
       join information_schema.key_column_usage u
         on u.constraint_name = t.constraint_name and u.constraint_schema = t.constraint_schema
           and u.table_name = t.table_name
       where t.constraint_type = 'PRIMARY KEY' and t.constraint_schema = current_schema()
     ) k on k.table_name = c.table_name and k.column_name = c.column_name
     where c.table_schema = current_schema() and c.table_name = any(?) and c.is_generated = 'NEVER'
     order by c.ordinal_position`,
    [[...tables]],
  )) as { rows: ColumnRow[] };
  const facts = new Map<string, TableFacts>();
  for (const table of new Set(rows.map((row) => row.table))) {
    const own = rows.filter((row) => row.table === table);
    const keys = own.filter(({ key }) => key !== null).sort((a, b) => Number(a.key) - Number(b.key));
    facts.set(table, {
      columns: own.map(({ name, type, nullable, counted }) => ({ name, type, nullable, counted })),
      primaryKey: keys.map(({ name }) => name),
    });
  }
  return facts;
}
