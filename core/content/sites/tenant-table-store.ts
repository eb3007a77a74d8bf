import type { Knex } from 'knex';

/** A table with rows of sites. */
export interface TenantTable {
  /** Quoted where PostgreSQL wants it, with its schema. */
  readonly name: string;
  /** Foreign keys of the table on itself that refuse deletions: pairs of referring and referred column. */
  readonly own: readonly (readonly (readonly [string, string])[])[];
}

/** Tables of the host whose rows stay: the record of what happened, and the one that keeps the id. */
const staying: readonly string[] = ['audit_log', 'sites'];

const tables = `
  select c.oid::int as oid, c.oid::regclass::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'blog_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> all(?::text[])
    order by 2`;

const references = `
  select k.conrelid::int as child, k.confrelid::int as parent, k.confdeltype in ('a', 'r') as refuses, (
      select json_agg(json_build_array(x.attname, y.attname) order by p.n)
      from unnest(k.conkey, k.confkey) with ordinality p (f, t, n)
      join pg_attribute x on x.attrelid = k.conrelid and x.attnum = p.f
      join pg_attribute y on y.attrelid = k.confrelid and y.attnum = p.t) as columns
    from pg_constraint k where k.contype = 'f'
      and k.conrelid = any(?::int[]::oid[]) and k.confrelid = any(?::int[]::oid[])`;

interface Reference {
  readonly child: number;
  readonly parent: number;
  readonly refuses: boolean;
  readonly columns: readonly (readonly [string, string])[];
}

/** Every table of the installation that has rows of sites; those that refer to others before these. */
export async function tenantTables(sql: Knex): Promise<TenantTable[]> {
  const found = (await sql.raw(tables, [[...staying]])).rows as { oid: number; name: string }[];
  const oids = found.map(({ oid }) => oid);
  const keys = (await sql.raw(references, [oids, oids])).rows as Reference[];
  const named = new Map(found.map(({ oid, name }) => [oid, name]));
  return childrenFirst(oids, keys).map((oid) => ({
    name: named.get(oid) ?? '',
    own: keys
      .filter((key) => key.refuses && key.child === oid && key.parent === oid)
      .map(({ columns }) => columns),
  }));
}

/** Where tables refer to each other in a circle one of them is taken as it comes. */
function childrenFirst(oids: readonly number[], keys: readonly Reference[]): number[] {
  const left = new Set(oids);
  const order: number[] = [];
  while (left.size > 0) {
    const free = [...left].filter(
      (oid) => !keys.some(({ child, parent }) => parent === oid && child !== oid && left.has(child)),
    );
    for (const oid of free.length > 0 ? free : [...left].slice(0, 1)) {
      left.delete(oid);
      order.push(oid);
    }
  }
  return order;
}

/** Deletes up to so many of a site's rows; those that other rows of the table refer to come after these. */
export async function deleteRows(
  trx: Knex.Transaction,
  { name, own }: TenantTable,
  blogId: number,
  limit: number,
): Promise<number> {
  const unreferred = own.map((columns) => {
    const equal = columns.map(() => 'child.?? = row.??').join(' and ');
    return {
      text: ` and not exists (select 1 from ${name} child where ${equal} and child.ctid <> row.ctid)`,
      names: columns.flat(),
    };
  });
  // By place: a table needs no primary key, and the plan is the same for all of them.
  const { rowCount } = (await trx.raw(
    `delete from ${name} where ctid = any(array(
       select row.ctid from ${name} row where row.blog_id = ?${unreferred.map(({ text }) => text).join('')}
       limit ?))`,
    [blogId, ...unreferred.flatMap(({ names }) => names), limit],
  )) as { rowCount: number };
  return rowCount;
}

/** Whether the table has a row of the site. */
export async function hasRows(sql: Knex, { name }: TenantTable, blogId: number): Promise<boolean> {
  const { rows } = (await sql.raw(`select 1 from ${name} where blog_id = ? limit 1`, [blogId])) as {
    rows: unknown[];
  };
  return rows.length > 0;
}
