import type { Knex } from 'knex';
import type { Actor } from '../api/actor.ts';
import { fail } from '../api/errors.ts';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { invalidParams } from '../http/input.ts';
import { type MetaKeys, type MetaValues, mergeMeta } from './meta-keys.ts';
import type { Notices } from './notices.ts';
import type { PostTermStore } from './post-terms-store.ts';
import { maxSlug, numberedSlug, sanitizeSlug } from './slug.ts';
import { firstFree } from './slug-numbers.ts';
import type { Taxonomies, Taxonomy } from './taxonomies.ts';
import type { Term, TermOwner } from './term.ts';
import type { TermFilter, TermRow, TermStore } from './terms-store.ts';

/** What a new term is made of; the slug is sanitized, and made from the name when it is absent. */
export interface NewTerm {
  readonly name: string;
  readonly slug?: string | undefined;
  readonly parent_id?: number | undefined;
  readonly order?: number | undefined;
  readonly icon?: string | undefined;
  readonly names?: Readonly<Record<string, string>> | undefined;
  readonly meta?: MetaValues | undefined;
}

/** Given keys change; `meta` merges, its nulls remove. */
export type TermChanges = { readonly [K in keyof NewTerm]?: NewTerm[K] | undefined };

export interface TermParts {
  readonly db: Database;
  readonly store: TermStore;
  readonly postTerms: PostTermStore;
  readonly taxonomies: Taxonomies;
  readonly metaKeys: MetaKeys;
  readonly notices: Notices;
}

/**
 * Terms of sites and of networks: unique slugs, names unique among siblings, trees without circles. Whether the
 * caller may, and whether the taxonomy is there for him, is for the operation to ask.
 */
export class Terms {
  readonly #parts: TermParts;

  constructor(parts: TermParts) {
    this.#parts = parts;
  }

  /** The term, or null when it is none of this owner's. */
  find(owner: TermOwner, id: number, sql: Knex = this.#parts.db.knex): Promise<Term | null> {
    return this.#parts.store.find(sql, owner, id);
  }

  /** The same, locked until the transaction ends: what is decided from it stays true. */
  lock(trx: Knex.Transaction, owner: TermOwner, id: number): Promise<Term | null> {
    return this.#parts.store.find(trx, owner, id, true);
  }

  /** One page of a taxonomy's terms, and how many there are. Two queries. */
  list(
    owner: TermOwner,
    taxonomy: string,
    filter: TermFilter,
    sql: Knex = this.#parts.db.knex,
  ): Promise<{ readonly items: Term[]; readonly total: number }> {
    return this.#parts.store.list(sql, owner, taxonomy, filter);
  }

  /** Posts outside the trash that each of these terms has; terms without any are absent. One query. */
  counts(ids: readonly number[], sql: Knex = this.#parts.db.knex): Promise<ReadonlyMap<number, number>> {
    return this.#parts.postTerms.counts(sql, ids);
  }

  /** @throws `term_exists` with `data.term_id`; `rest_invalid_param` naming `name`, `parent_id` or `meta.<key>` */
  async create(trx: Knex.Transaction, owner: TermOwner, taxonomyId: string, given: NewTerm): Promise<Term> {
    const { store, metaKeys } = this.#parts;
    const taxonomy = this.#taxonomy(taxonomyId);
    const parent = given.parent_id ?? 0;
    if (parent !== 0) await this.#checkParent(trx, owner, taxonomy, parent, null);
    const base = slugOf(given.slug) || slugOf(given.name);
    const row: TermRow = {
      name: checkName(given.name),
      name_key: nameKey(taxonomy, given.name),
      slug: base || slugOf(taxonomy.id),
      parent,
      order: given.order ?? (taxonomy.ordered ? (await store.greatestOrder(trx, owner, taxonomy.id)) + 1 : 0),
      icon: given.icon ?? '',
      names: given.names ?? {},
      meta: mergeMeta({}, metaKeys.check('term', taxonomy.id, given.meta ?? {}, {})),
    };
    const numbered = taxonomy.namesMayRepeat || base === '';
    return this.#insert(trx, owner, taxonomy, row, numbered);
  }

  async #insert(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: Taxonomy,
    row: TermRow,
    numbered: boolean,
  ): Promise<Term> {
    const { store } = this.#parts;
    let { slug } = row;
    // Each round means that somebody else took the slug between the look and the insertion.
    for (let round = 0; round < 100; round += 1) {
      const term = await store.insert(trx, owner, taxonomy.id, { ...row, slug });
      if (term) return term;
      if (!numbered) break;
      slug = await this.#freeSlug(trx, owner, taxonomy, row.slug);
    }
    return this.#exists(trx, owner, taxonomy, { ...row, id: null });
  }

  #freeSlug(sql: Knex, owner: TermOwner, taxonomy: Taxonomy, base: string): Promise<string> {
    return firstFree(
      (number) => numberedSlug(base, number),
      (slugs) => this.#parts.store.taken(sql, owner, taxonomy.id, slugs),
    );
  }

  async #exists(
    sql: Knex,
    owner: TermOwner,
    taxonomy: Taxonomy,
    wanted: Pick<TermRow, 'slug' | 'parent' | 'name_key'> & { readonly id: number | null },
  ): Promise<never> {
    const clashing = await this.#parts.store.clashing(sql, owner, taxonomy.id, wanted);
    return clashing === null ? fail('rest_conflict') : fail('term_exists', { data: { term_id: clashing } });
  }

  /**
   * @param taxonomies the term's must be one of these
   * @throws `term_not_found`, and what `create` throws
   */
  async update(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomies: readonly string[],
    id: number,
    changes: TermChanges,
  ): Promise<Term> {
    const { store } = this.#parts;
    const before = await this.#locked(trx, owner, taxonomies, id, changes.parent_id !== undefined);
    const taxonomy = this.#taxonomy(before.taxonomy);
    if (changes.parent_id) await this.#checkParent(trx, owner, taxonomy, changes.parent_id, id);
    const row = await this.#changed(trx, owner, taxonomy, before, changes);
    if (Object.keys(row).length === 0) return before;
    try {
      return await store.update(trx, id, row);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const name_key = nameKey(taxonomy, before.name);
      return this.#exists(trx, owner, taxonomy, { ...before, name_key, ...row });
    }
  }

  /** The columns that really change. */
  async #changed(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: Taxonomy,
    before: Term,
    changes: TermChanges,
  ): Promise<Partial<TermRow>> {
    const wanted = {
      name: changes.name === undefined ? undefined : checkName(changes.name),
      slug: changes.slug === undefined ? undefined : slugOf(changes.slug) || emptySlug(),
      parent: changes.parent_id,
      order: changes.order,
      icon: changes.icon,
      names: changes.names,
      meta: changes.meta && this.#mergedMeta(before, changes.meta),
    };
    const present: Record<string, unknown> = { ...before };
    const row = Object.fromEntries(
      Object.entries(wanted).filter(
        ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(present[key]),
      ),
    ) as { -readonly [K in keyof TermRow]?: TermRow[K] };
    if (row.name !== undefined || row.parent !== undefined) {
      row.name_key = nameKey(taxonomy, row.name ?? before.name);
    }
    if (row.slug !== undefined && taxonomy.namesMayRepeat) {
      row.slug = await this.#freeSlug(trx, owner, taxonomy, row.slug);
    }
    return row;
  }

  #mergedMeta(before: Term, changes: MetaValues): MetaValues {
    const checked = this.#parts.metaKeys.check('term', before.taxonomy, changes, before.meta);
    return mergeMeta(before.meta, checked);
  }

  /** Removes the term: children move to its parent, assignments go. @throws `term_not_found` */
  async remove(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomies: readonly string[],
    id: number,
    actor: Actor,
  ): Promise<Term> {
    const { store, notices } = this.#parts;
    const term = await this.#locked(trx, owner, taxonomies, id, true);
    await store.remove(trx, owner, term);
    await notices.send(trx, actor, { kind: 'term.deleted', term });
    return term;
  }

  /** Sets one meta value for the module that keeps it, read-only ones too; null removes it. @throws `term_not_found` */
  async setMeta(
    trx: Knex.Transaction,
    owner: TermOwner,
    id: number,
    key: string,
    value: unknown,
  ): Promise<Term> {
    const { store } = this.#parts;
    const before = await store.find(trx, owner, id, true);
    if (!before) return fail('term_not_found');
    return store.update(trx, id, { meta: mergeMeta(before.meta, { [key]: value }) });
  }

  /** Removes a meta key from all terms of the taxonomy where it has this value; their ids. */
  async dropMeta(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: string,
    key: string,
    value: unknown,
  ): Promise<number[]> {
    // Several rows: whoever else writes several of the taxonomy stands in the same line.
    await this.#parts.store.lockTree(trx, owner, taxonomy);
    return this.#parts.store.dropMeta(trx, owner, taxonomy, key, value);
  }

  /** The tree before the row: whoever removes a term writes its children too. */
  async #locked(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomies: readonly string[],
    id: number,
    withTree: boolean,
  ): Promise<Term> {
    const { store } = this.#parts;
    const seen = withTree ? await store.find(trx, owner, id) : null;
    if (seen) await store.lockTree(trx, owner, seen.taxonomy);
    const term = await store.find(trx, owner, id, true);
    return term && taxonomies.includes(term.taxonomy) ? term : fail('term_not_found');
  }

  async #checkParent(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: Taxonomy,
    parentId: number,
    id: number | null,
  ): Promise<void> {
    const { store } = this.#parts;
    if (!taxonomy.hierarchical) invalidParams({ parent_id: 'must be 0: the taxonomy has no tree' });
    await store.lockTree(trx, owner, taxonomy.id);
    const parent = await store.find(trx, owner, parentId);
    if (parent?.taxonomy !== taxonomy.id) invalidParams({ parent_id: 'must be a term of the taxonomy' });
    if (id !== null && (await store.isWithin(trx, id, parentId))) {
      invalidParams({ parent_id: 'must be neither the term itself nor below it' });
    }
  }

  #taxonomy(id: string): Taxonomy {
    const taxonomy = this.#parts.taxonomies.get(id);
    if (!taxonomy) throw new Error(`No module declares the taxonomy "${id}".`);
    return taxonomy;
  }
}

/** The slug that a text makes; empty for one without letter or digit. */
export const slugOf = (text: string | undefined): string => sanitizeSlug(text ?? '', maxSlug);

const emptySlug = (): never => invalidParams({ slug: 'must have a letter or a digit' });

const checkName = (name: string): string =>
  name.trim() === '' ? invalidParams({ name: 'must not be blank' }) : name;

/** Siblings are compared without regard to case and outer white space. */
export const nameKey = (taxonomy: Taxonomy, name: string): string | null =>
  taxonomy.namesMayRepeat ? null : name.normalize('NFC').trim().toLowerCase();
