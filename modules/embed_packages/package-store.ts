import { containing } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Package } from './package.ts';

const columns = [
  ...['id', 'blog_id', 'title', 'slug', 'source', 'entry', 'revision', 'place', 'files', 'bytes'],
  ...['content_hash', 'token', 'author_id', 'created_at', 'modified_at'],
] as const;

/** By what packages may be put in order. */
export const packageOrders = ['modified_at', 'title', 'id'] as const;

export interface PackageFilter {
  readonly blogId: number;
  readonly search: string | undefined;
  readonly orderby: (typeof packageOrders)[number];
  readonly order: 'asc' | 'desc';
  readonly page: number;
  readonly per_page: number;
}

export type NewPackage = Omit<Package, 'created_at' | 'modified_at'>;

/** Rows of packages. */
export class PackageStore {
  /** An id for a package to be, so that its files have a folder before it has a row. */
  async nextId(sql: Knex): Promise<number> {
    const { rows } = (await sql.raw(
      `select nextval(pg_get_serial_sequence('embed_packages', 'id'))::int as id`,
    )) as { rows: { id: number }[] };
    const [row] = rows;
    if (!row) throw new Error('A sequence gave no number.');
    return row.id;
  }

  async insert(trx: Knex.Transaction, given: NewPackage): Promise<Package> {
    const names = Object.keys(given);
    const { rows } = (await trx.raw(
      `insert into embed_packages (${names.map(() => '??').join(', ')}) overriding system value
       values (${names.map(() => '?').join(', ')}) returning ${columns.join(', ')}`,
      [...names, ...Object.values(given)],
    )) as { rows: Package[] };
    return one(rows);
  }

  async find(sql: Knex, blogId: number, id: number): Promise<Package | null> {
    return (await sql('embed_packages').where({ blog_id: blogId, id }).first(columns)) ?? null;
  }

  /** Who would change its content or take it away waits until the transaction ends. */
  async lock(trx: Knex.Transaction, blogId: number, id: number): Promise<Package | null> {
    return (await trx('embed_packages').where({ blog_id: blogId, id }).forUpdate().first(columns)) ?? null;
  }

  async list(
    sql: Knex,
    filter: PackageFilter,
  ): Promise<{ readonly rows: Package[]; readonly total: number }> {
    const { blogId, search, orderby, order, page, per_page } = filter;
    const query = sql('embed_packages').where('blog_id', blogId);
    if (search !== undefined && search !== '') {
      const pattern = containing(search);
      query.where((either) => void either.whereILike('title', pattern).orWhereILike('slug', pattern));
    }
    const counted = (await query.clone().count({ total: '*' }).first()) as { total: number } | undefined;
    if (orderby !== 'id') query.orderByRaw(`${orderby === 'title' ? 'lower(title)' : orderby} ${order}`);
    const rows = await query
      .orderBy('id', order)
      .limit(per_page)
      .offset((page - 1) * per_page)
      .select(columns);
    return { rows, total: Number(counted?.total ?? 0) };
  }

  async update(trx: Knex.Transaction, id: number, changes: Partial<NewPackage>): Promise<Package> {
    const rows = (await trx('embed_packages')
      .where({ id })
      .update({ ...changes, modified_at: trx.raw('clock_timestamp()') })
      .returning(columns)) as Package[];
    return one(rows);
  }

  /** With the rows of its files and documents. False when it was not there. */
  async remove(trx: Knex.Transaction, id: number): Promise<boolean> {
    return (await trx('embed_packages').where({ id }).delete()) > 0;
  }

  /** Which of the slugs other packages of the site have. */
  async takenSlugs(
    trx: Knex.Transaction,
    blogId: number,
    slugs: readonly string[],
    exceptId: number,
  ): Promise<ReadonlySet<string>> {
    const query = trx('embed_packages')
      .where('blog_id', blogId)
      .whereIn('slug', slugs)
      .whereNot('id', exceptId);
    return new Set((await query.pluck('slug')) as string[]);
  }
}

function one(rows: readonly Package[]): Package {
  const [row] = rows;
  if (!row) throw new Error('A package that is there was not found.');
  return row;
}
