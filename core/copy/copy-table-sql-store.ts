import type { TableReference } from '../api/module.ts';
import { type Column, referredTable, type TablePlan } from './table-plan.ts';

/** A name as SQL takes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Kinds of the map under which a reference is looked up, as a list of SQL. */
export function kindsOf(reference: TableReference): string {
  const table = referredTable(reference);
  if (table !== null) return `'module:${table}'`;
  return reference === 'post' ? `'post', 'attachment'` : `'${reference}'`;
}

const isList = ({ type }: Column): boolean => type.startsWith('_');

/** References that are followed as rows are copied: users are of the installation and stay. */
export const followedColumns = (
  { columns, refs }: TablePlan,
  later: ReadonlyMap<string, TableReference>,
): readonly (readonly [Column, TableReference])[] =>
  columns.flatMap((column) => {
    const reference = refs.get(column.name);
    return reference && reference !== 'user' && !later.has(column.name) ? [[column, reference] as const] : [];
  });

/** The value of a reference in the copy; `row` has the old one, `found` is what the map has for it. */
export function followedValue(column: Column, reference: TableReference, row: string, found: string): string {
  const old = `${row}.${quoted(column.name)}`;
  if (!isList(column)) return `case when ${old} = 0 then 0 else ${found}.new_id end`;
  return `case when ${old} is null then null else array(
    select x.new_id::${column.type.slice(1)} from unnest(${old}) with ordinality o (id, at)
      join site_copy_map x on x.job_id = :jobId and x.kind in (${kindsOf(reference)}) and x.old_id = o.id
        and x.new_id > 0
    order by o.at) end`;
}

/** Looks the reference up row by row: what the planner thinks of a new map is of no use to a join. */
export const joinFor = (column: Column, reference: TableReference, row: string, found: string): string =>
  isList(column)
    ? ''
    : `left join lateral (
         select y.new_id from site_copy_map y where y.job_id = :jobId and y.kind in (${kindsOf(reference)})
           and y.old_id = ${row}.${quoted(column.name)} and y.new_id > 0 limit 1) ${found} on true`;

/** What must hold of a row that cannot be without this reference. */
export const neededFor = (column: Column, row: string, found: string): string =>
  isList(column) || column.nullable
    ? 'true'
    : `(${row}.${quoted(column.name)} = 0 or ${found}.new_id is not null)`;

/** The columns of the key in a tuple. */
export const keyTuple = ({ key }: TablePlan, row: string): string =>
  key.map(({ name }) => `${row}.${quoted(name)}`).join(', ');

/** The rows behind those of a key; parameters `k0`, `k1`… are its texts. */
export function behind(plan: TablePlan, row: string, after: readonly string[] | null): string {
  if (after === null) return 'true';
  if (plan.key.length === 0) return 'false';
  const values = plan.key.map(({ type }, at) => `cast(:k${at} as text)::${type}`).join(', ');
  return `(${keyTuple(plan, row)}) > (${values})`;
}

export const keyParameters = (after: readonly string[] | null): Record<string, string> =>
  Object.fromEntries((after ?? []).map((text, at) => [`k${at}`, text]));

/** An order by the key; one row needs none. */
export const byKey = (plan: TablePlan, row: string, direction: 'asc' | 'desc'): string =>
  plan.key.length === 0
    ? ''
    : `order by ${plan.key.map(({ name }) => `${row}.${quoted(name)} ${direction}`).join(', ')}`;

/** The texts of the key as an array. */
export const keyTexts = (plan: TablePlan, row: string): string =>
  `array[${plan.key.map(({ name }) => `${row}.${quoted(name)}::text`).join(', ')}]::text[]`;
