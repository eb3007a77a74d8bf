import type { TableReference } from '../api/module.ts';
import { type InstalledModules, specs } from '../registry/spec.ts';

/** A column of a table as the database has it. */
export interface Column {
  readonly name: string;
  /** Its type as it is written in a cast, `int4` for instance, an array with `_` before it. */
  readonly type: string;
  readonly nullable: boolean;
  /** Its values come from a sequence. */
  readonly counted: boolean;
}

/** How rows of one table of a module are copied. */
export interface TablePlan {
  readonly module: string;
  readonly table: string;
  readonly with: 'modules' | 'files';
  readonly columns: readonly Column[];
  /** Columns of the primary key but `blog_id`; none where a site has one row. */
  readonly key: readonly Column[];
  /** The one column of the key, where it is a counted integer: its values are mapped. */
  readonly ownId: string | null;
  readonly refs: ReadonlyMap<string, TableReference>;
  /** Columns that get other random values. */
  readonly fresh: readonly string[];
  readonly fileKeys: readonly string[];
  readonly folder: string | null;
}

/** What the database knows of a table: none of the columns that it computes by itself. */
export interface TableFacts {
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
}

/** Tables that modules want copied, with their modules. */
export function declaredTables(modules: InstalledModules) {
  return [...specs(modules)].flatMap((spec) =>
    Object.entries(spec.tables)
      .filter(([, declared]) => declared.copy === 'rows')
      .map(([table, declared]) => ({ module: spec.id, table, declared })),
  );
}

/** The plans of all tables that are there, those that others refer to before these. */
export function planTables(modules: InstalledModules, facts: ReadonlyMap<string, TableFacts>): TablePlan[] {
  const plans = declaredTables(modules).flatMap(({ module, table, declared }): TablePlan[] => {
    const found = facts.get(table);
    if (!found) return [];
    const { columns, primaryKey } = found;
    if (primaryKey.length === 0)
      throw new Error(`The table ${table} has no primary key and cannot be copied.`);
    const key = columns.filter(({ name }) => name !== 'blog_id' && primaryKey.includes(name));
    const ownId = key.length === 1 && key[0]?.counted ? key[0].name : null;
    const { refs = {}, fresh = [], files = {}, with: along = 'modules' } = declared;
    if (declared.files && ownId === null) {
      throw new Error(`The table ${table} has files, but no generated integer as its primary key.`);
    }
    const odd = Object.keys(refs).find((name) => !isReference(columns, name));
    if (odd) throw new Error(`The column ${odd} of ${table} is neither an integer nor an array of integers.`);
    const plan = { module, table, with: along, columns, key, ownId, refs: new Map(Object.entries(refs)) };
    return [{ ...plan, fresh, fileKeys: files.keys ?? [], folder: files.folder ?? null }];
  });
  return referredFirst(plans);
}

const integers = new Set(['int2', 'int4', 'int8', '_int2', '_int4', '_int8']);

const isReference = (columns: readonly Column[], name: string): boolean =>
  columns.some((column) => column.name === name && integers.has(column.type));

/** The table that a reference leads to; null for records of the host. */
export const referredTable = (reference: TableReference): string | null =>
  reference.startsWith('module:') ? reference.slice('module:'.length) : null;

/** Where tables refer to each other in a circle one of them comes first as it is. */
function referredFirst(plans: readonly TablePlan[]): TablePlan[] {
  const left = new Map(plans.map((plan) => [plan.table, plan]));
  const ordered: TablePlan[] = [];
  const isFree = ({ table, refs }: TablePlan): boolean =>
    [...refs.values()].every((reference) => {
      const other = referredTable(reference);
      return other === null || other === table || !left.has(other);
    });
  while (left.size > 0) {
    const free = [...left.values()].filter(isFree);
    for (const plan of free.length > 0 ? free : [...left.values()].slice(0, 1)) {
      left.delete(plan.table);
      ordered.push(plan);
    }
  }
  return ordered;
}

/** References to rows of tables that are not copied before this one: they are followed when all are there. */
export function laterRefs(plan: TablePlan, plans: readonly TablePlan[]): ReadonlyMap<string, TableReference> {
  const at = plans.indexOf(plan);
  const before = new Set(plans.slice(0, at).map(({ table }) => table));
  return new Map(
    [...plan.refs].filter(([, reference]) => {
      const other = referredTable(reference);
      return other !== null && !before.has(other) && plans.some(({ table }) => table === other);
    }),
  );
}

const texts = new Set(['text', 'varchar', 'json', 'jsonb']);

/** Columns whose texts may name addresses. */
export const textColumns = ({ columns, key, fresh, fileKeys }: TablePlan): readonly Column[] =>
  columns.filter(
    (column) =>
      texts.has(column.type) && !key.includes(column) && ![...fresh, ...fileKeys].includes(column.name),
  );
