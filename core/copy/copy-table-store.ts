import type { Knex } from 'knex';
import type { TableReference } from '../api/module.ts';
import {
  behind,
  byKey,
  followedColumns,
  followedValue,
  joinFor,
  keyParameters,
  keyTexts,
  neededFor,
  quoted,
} from './copy-table-sql-store.ts';
import type { Column, TablePlan } from './table-plan.ts';

/** One batch of rows of a module's table. */
export interface TableBatch {
  readonly jobId: string;
  readonly source: number;
  readonly target: number;
  /** The key of the last row of the batch before, as texts. */
  readonly after: readonly string[] | null;
  /** The greatest own id, where the table has one. */
  readonly max: number;
}

export interface CopiedRows {
  readonly rows: number;
  /** The key of the last row that was looked at; null when there are no more. */
  readonly last: readonly string[] | null;
}

const mostRows = 500;

/** 32 hex digits of PostgreSQL's strong random bits. */
const randomHex = `replace(gen_random_uuid()::text, '-', '')`;

/** The value of a column that is no reference, in the copy of the row `k`. */
function plainValue({ ownId, key, fresh, fileKeys }: TablePlan, { name, type }: Column): string {
  if (name === 'blog_id') return ':target';
  if (name === ownId) return 'm.new_id';
  const old = `k.${quoted(name)}`;
  if (type === 'uuid' && key.some((column) => column.name === name)) return 'gen_random_uuid()';
  if (fresh.includes(name)) return type === 'uuid' ? 'gen_random_uuid()' : randomHex;
  if (!fileKeys.includes(name)) return old;
  return `case when starts_with(${old}, :sourceFolder) then :targetFolder || substr(${old}, length(:sourceFolder) + 1)
    else ${old} end`;
}

/**
 * Copies a batch of rows, references followed, the new ids of the table's own noted.
 * @param later references that stay those of the source until all tables are there
 */
export async function copyRows(
  trx: Knex.Transaction,
  plan: TablePlan,
  later: ReadonlyMap<string, TableReference>,
  { jobId, source, target, after, max }: TableBatch,
): Promise<CopiedRows> {
  const { ownId, columns } = plan;
  const table = quoted(plan.table);
  const followed = followedColumns(plan, later);
  const names = new Map(followed.map(([column], at) => [column.name, `ref_${at}`]));
  const own = ownId === null ? null : quoted(ownId);
  const written = columns.filter(({ name, counted }) => !counted || name === ownId);
  const values = written.map((column) => {
    const name = names.get(column.name);
    return name ? `k.${name}` : plainValue(plan, column);
  });
  const { rows } = (await trx.raw(
    `with batch as (
       select t.* from ${table} t where t.blog_id = :source and ${behind(plan, 't', after)}
         ${own === null ? '' : `and t.${own} <= :max`}
       ${byKey(plan, 't', 'asc')} limit ${mostRows}
     ), kept as (
       select b.*${followed.map(([column, to], at) => `, ${followedValue(column, to, 'b', `r${at}`)} as ref_${at}`).join('')}
       from batch b ${followed.map(([column, to], at) => joinFor(column, to, 'b', `r${at}`)).join(' ')}
       where true ${followed.map(([column], at) => `and ${neededFor(column, 'b', `r${at}`)}`).join(' ')}
     ), ${own === null ? '' : mapping(plan.table, own)}
     written as (
       insert into ${table} (${written.map(({ name }) => quoted(name)).join(', ')}) overriding system value
       select ${values.join(', ')} from kept k ${own === null ? '' : `join mapped m on m.old_id = k.${own}`}
       returning 1
     )
     select (select count(*)::int from written) as rows,
       (select ${keyTexts(plan, 'b')} from batch b ${byKey(plan, 'b', 'desc')} limit 1) as last`,
    {
      ...{ jobId, source, target, max, kind: `module:${plan.table}` },
      ...{ sourceFolder: `sites/${source}/`, targetFolder: `sites/${target}/` },
      ...keyParameters(after),
    },
  )) as { rows: CopiedRows[] };
  return rows[0] ?? { rows: 0, last: null };
}

const mapping = (table: string, own: string): string => `
  mapped as (
    insert into site_copy_map (job_id, kind, old_id, new_id)
    select :jobId, :kind, k.${own}, nextval(pg_get_serial_sequence('${table}', '${own.slice(1, -1)}'))
    from kept k order by k.${own} returning old_id, new_id
  ),`;

/** How many rows of the source there are, and the greatest own id of them. */
export async function tableLimits(
  sql: Knex,
  { table, ownId }: TablePlan,
  source: number,
): Promise<{ readonly rows: number; readonly max: number }> {
  const query = sql(table).where('blog_id', source);
  const counted = await query.clone().count({ rows: '*' }).first();
  const greatest = ownId === null ? null : await query.clone().max({ max: ownId }).first();
  return {
    rows: Number((counted as { rows: number } | undefined)?.rows ?? 0),
    max: Number((greatest as { max: number | null } | null)?.max ?? 0),
  };
}

export async function countRows(sql: Knex, table: string, blogId: number): Promise<number> {
  const row = await sql(table).where('blog_id', blogId).count({ rows: '*' }).first();
  return Number((row as { rows: number } | undefined)?.rows ?? 0);
}
