import type { Knex } from 'knex';
import type { TableReference } from '../api/module.ts';
import {
  behind,
  byKey,
  followedValue,
  joinFor,
  keyParameters,
  keyTexts,
  keyTuple,
  neededFor,
  quoted,
} from './copy-table-sql-store.ts';
import { type TablePlan, textColumns } from './table-plan.ts';

const mostRows = 500;
const mostBytes = 2 * 1024 * 1024;

/**
 * Follows references to rows that were not there yet, in all copied rows of the table; those that cannot be without
 * one that has no copy go. How many went.
 */
export async function followLater(
  trx: Knex.Transaction,
  { table, columns }: TablePlan,
  later: ReadonlyMap<string, TableReference>,
  { jobId, target }: { readonly jobId: string; readonly target: number },
): Promise<number> {
  const followed = columns.flatMap((column) => {
    const reference = later.get(column.name);
    return reference ? [[column, reference] as const] : [];
  });
  const joins = followed.map(([column, to], at) => joinFor(column, to, 'q', `r${at}`)).join(' ');
  const needed = followed.map(([column], at) => neededFor(column, 'q', `r${at}`)).join(' and ');
  const { rowCount } = (await trx.raw(
    `delete from ${quoted(table)} t using ${quoted(table)} q ${joins}
     where q.ctid = t.ctid and q.blog_id = :target and not (${needed})`,
    { jobId, target },
  )) as { rowCount: number };
  const values = followed
    .map(([column, to], at) => `${quoted(column.name)} = ${followedValue(column, to, 'q', `r${at}`)}`)
    .join(', ');
  await trx.raw(
    `update ${quoted(table)} t set ${values} from ${quoted(table)} q ${joins}
     where q.ctid = t.ctid and q.blog_id = :target`,
    { jobId, target },
  );
  return rowCount;
}

/** A row's key and its texts, JSON too, in the order of `textColumns`; null where it has none. */
export interface RowTexts {
  readonly key: readonly string[];
  readonly texts: readonly (string | null)[];
}

/** Copied rows in the order of their keys. */
export async function rowsToRewrite(
  trx: Knex.Transaction,
  plan: TablePlan,
  blogId: number,
  after: readonly string[] | null,
): Promise<RowTexts[]> {
  const table = quoted(plan.table);
  const texts = textColumns(plan).map(({ name }) => `t.${quoted(name)}::text`);
  const bytes = texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(' + ');
  const { rows } = (await trx.raw(
    `with near as (
       select t.ctid as place, ${bytes} as bytes, row_number() over (${byKey(plan, 't', 'asc')}) as at
       from ${table} t where t.blog_id = :blogId and ${behind(plan, 't', after)}
       ${byKey(plan, 't', 'asc')} limit ${mostRows}
     ), fit as (
       select place, at from (select *, sum(bytes) over (order by at) - bytes as before from near) sized
       where before < ${mostBytes}
     )
     select ${keyTexts(plan, 't')} as key, array[${texts.join(', ')}] as texts
     from ${table} t join fit on fit.place = t.ctid order by fit.at`,
    { blogId, ...keyParameters(after) },
  )) as { rows: RowTexts[] };
  return rows;
}

/** Writes the texts of rows by their keys. */
export async function writeRows(
  trx: Knex.Transaction,
  plan: TablePlan,
  blogId: number,
  rows: readonly RowTexts[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = textColumns(plan);
  const keys = plan.key.map((_column, at) => `(r.key ->> ${at})::${plan.key[at]?.type}`);
  const values = columns.map(({ name, type }, at) => `${quoted(name)} = (r.texts ->> ${at})::${type}`);
  await trx.raw(
    `update ${quoted(plan.table)} t set ${values.join(', ')}
     from json_to_recordset(cast(:rows as json)) as r (key json, texts json)
     where t.blog_id = :blogId ${keys.length > 0 ? `and (${keyTuple(plan, 't')}) = (${keys.join(', ')})` : ''}`,
    { blogId, rows: JSON.stringify(rows) },
  );
}
