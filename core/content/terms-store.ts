import type { Knex } from 'knex';
import { containing } from '../db/like.ts';
import { lockUntilCommit } from '../db/locks.ts';
import type { Term, TermOwner } from './term.ts';

/** What a list of terms shows. */
export interface TermFilter {
  readonly parentId?: number | undefined;
  /** Part of the name, in any case. */
  readonly search?: string | undefined;
  /** Only terms assigned to this post. */
  readonly postId?: number | undefined;
  /** Search and sort by the name in the first of these languages in which there is one, else by the name itself. */
  readonly langs?: readonly string[] | undefined;
  /** `order`: by order, then id. `name`: by name, then id. */
  readonly by: 'order' | 'name';
  readonly limit: number;
  readonly offset: number;
}

/** The columns of a term that are written. `name_key` is null where siblings may share a name. */
export interface TermRow {
  readonly name: string;
  readonly name_key: string | null;
  readonly slug: string;
  readonly parent: number;
  readonly order: number;
  readonly icon: string;
  readonly names: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The columns of a term as modules see it. */
export const termColumns = 'id blog_id network_id taxonomy name slug parent order icon names meta'.split(' ');

/** The owner as conditions on columns. */
export const ownedBy = (owner: TermOwner): Record<string, number> =>
  'blog_id' in owner ? { blog_id: owner.blog_id } : { network_id: owner.network_id };

const prefixed = (alias: string, row: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [`${alias}.${name}`, value]));

const json = <T extends Partial<TermRow>>(row: T): Record<string, unknown> => ({
  ...row,
  ...(row.names && { names: JSON.stringify(row.names) }),
  ...(row.meta && { meta: JSON.stringify(row.meta) }),
});

/** Reads and writes terms of sites and of networks. */
export class TermStore {
  /** `lock` keeps the row as it is until the transaction ends. */
  async find(sql: Knex, owner: TermOwner, id: number, lock = false): Promise<Term | null> {
    const query = sql<Term>('terms').where({ id, ...ownedBy(owner) });
    if (lock) query.forNoKeyUpdate();
    return (await query.first(termColumns)) ?? null;
  }

  async list(
    sql: Knex,
    owner: TermOwner,
    taxonomy: string,
    filter: TermFilter,
  ): Promise<{ items: Term[]; total: number }> {
    const langs = filter.langs ?? [];
    const shown = sql.raw(`coalesce(${'names ->> ?, '.repeat(langs.length)}name)`, [...langs]);
    const query = sql('terms').where({ ...ownedBy(owner), taxonomy });
    if (filter.parentId !== undefined) query.where('parent', filter.parentId);
    if (filter.search) {
      query.whereRaw('? ilike ?', [shown, containing(filter.search)]);
    }
    if (filter.postId !== undefined) {
      query.whereIn('id', sql('post_terms').where('post_id', filter.postId).select('term_id'));
    }
    const counted = await query.clone().count<{ total: number }[]>({ total: '*' }).first();
    query.orderBy(filter.by === 'order' ? 'order' : sql.raw('lower(?)', [shown])).orderBy('id');
    const items = (await query.select(termColumns).limit(filter.limit).offset(filter.offset)) as Term[];
    return { items, total: Number(counted?.total ?? 0) };
  }

  /** Null when a unique index refuses it: its slug is taken, or its name among its siblings. */
  async insert(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: string,
    row: TermRow,
  ): Promise<Term | null> {
    const [term] = (await trx('terms')
      .insert({ ...ownedBy(owner), taxonomy, ...json(row) })
      .onConflict()
      .ignore()
      .returning(termColumns)) as Term[];
    return term ?? null;
  }

  /**
   * Inserts many terms in one statement: ids by slug of those that no unique index refused. Of two rows that
   * refuse each other the first is written.
   */
  async insertMany(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: string,
    terms: readonly TermRow[],
  ): Promise<ReadonlyMap<string, number>> {
    if (terms.length === 0) return new Map();
    const rows = (await trx('terms')
      .insert(terms.map((row) => ({ ...ownedBy(owner), taxonomy, ...json(row) })))
      .onConflict()
      .ignore()
      .returning(['id', 'slug'])) as { id: number; slug: string }[];
    return new Map(rows.map(({ id, slug }) => [slug, id]));
  }

  /** Ids by slug of the terms of a taxonomy that have one of these; they stay until a transaction ends. */
  async idsOf(
    sql: Knex,
    owner: TermOwner,
    taxonomy: string,
    slugs: readonly string[],
  ): Promise<Map<string, number>> {
    const rows = (await sql('terms')
      .where({ ...ownedBy(owner), taxonomy })
      .whereRaw('slug = any(?)', [[...slugs]])
      .forKeyShare()
      .select('id', 'slug')) as { id: number; slug: string }[];
    return new Map(rows.map(({ id, slug }) => [slug, id]));
  }

  /** The written term; in a savepoint, so that the transaction goes on when a unique index refuses it. */
  update(trx: Knex.Transaction, id: number, changes: Partial<TermRow>): Promise<Term> {
    return trx.transaction(async (savepoint) => {
      const [term] = (await savepoint('terms')
        .where({ id })
        .update(json(changes))
        .returning(termColumns)) as Term[];
      return term as Term;
    });
  }

  /** Another term that has this slug in the taxonomy, or this name among the children of the parent. */
  async clashing(
    sql: Knex,
    owner: TermOwner,
    taxonomy: string,
    wanted: Pick<TermRow, 'slug' | 'parent' | 'name_key'> & { readonly id: number | null },
  ): Promise<number | null> {
    const query = sql('terms')
      .where({ ...ownedBy(owner), taxonomy })
      .andWhere((either) => {
        either.where('slug', wanted.slug);
        if (wanted.name_key !== null) either.orWhere({ parent: wanted.parent, name_key: wanted.name_key });
      });
    if (wanted.id !== null) query.whereNot('id', wanted.id);
    const row = await query.orderBy('id').first('id');
    return (row as { id: number } | undefined)?.id ?? null;
  }

  /** Which of these slugs are taken. */
  async taken(sql: Knex, owner: TermOwner, taxonomy: string, slugs: readonly string[]): Promise<Set<string>> {
    const rows = (await sql('terms')
      .where({ ...ownedBy(owner), taxonomy })
      .whereIn('slug', slugs)
      .select('slug')) as { slug: string }[];
    return new Set(rows.map(({ slug }) => slug));
  }

  /** Holds off other changes of parents in the taxonomy until the transaction ends. */
  lockTree(trx: Knex.Transaction, owner: TermOwner, taxonomy: string): Promise<void> {
    return lockUntilCommit(trx, `terms ${JSON.stringify(ownedBy(owner))} ${taxonomy}`);
  }

  /** Whether `id` is `ancestor` or lies below it. */
  async isWithin(sql: Knex, ancestor: number, id: number): Promise<boolean> {
    const { rows } = (await sql.raw(
      `with recursive above as (
         select id, parent from terms where id = ?
         union select t.id, t.parent from terms t join above a on t.id = a.parent
       ) select 1 from above where id = ?`,
      [id, ancestor],
    )) as { rows: unknown[] };
    return rows.length > 0;
  }

  async greatestOrder(sql: Knex, owner: TermOwner, taxonomy: string): Promise<number> {
    const row = await sql('terms')
      .where({ ...ownedBy(owner), taxonomy })
      .max({ order: 'order' })
      .first();
    return (row as { order: number | null } | undefined)?.order ?? 0;
  }

  /** Removes the term with its assignments; its children move up. A child whose name is taken there keeps it. */
  async remove(trx: Knex.Transaction, owner: TermOwner, { id, parent, taxonomy }: Term): Promise<void> {
    await trx('terms').where({ id }).delete();
    const sibling = trx('terms as s')
      .where({ ...prefixed('s', ownedBy(owner)), 's.taxonomy': taxonomy, 's.parent': parent })
      .whereRaw('s.name_key = terms.name_key')
      .select(trx.raw('1'));
    await trx('terms')
      .where({ ...ownedBy(owner), taxonomy, parent: id })
      .update({ parent, name_key: trx.raw('case when exists ? then null else name_key end', [sibling]) });
  }

  /** Removes a meta key where it has this value; ids of the terms that had it. */
  async dropMeta(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: string,
    key: string,
    value: unknown,
  ): Promise<number[]> {
    const rows = (await trx('terms')
      .where({ ...ownedBy(owner), taxonomy })
      .whereRaw('meta -> ?::text = ?::jsonb', [key, JSON.stringify(value)])
      .update({ meta: trx.raw('meta - ?::text', [key]) })
      .returning('id')) as { id: number }[];
    return rows.map(({ id }) => id);
  }
}
