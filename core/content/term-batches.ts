import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { type MetaKeys, type MetaValues, mergeMeta } from './meta-keys.ts';
import type { Taxonomies, Taxonomy } from './taxonomies.ts';
import type { TermOwner } from './term.ts';
import { nameKey, slugOf } from './terms.ts';
import type { TermRow, TermStore } from './terms-store.ts';

/** A term that shall be there. */
export interface BroughtTerm {
  /** Made by `slug`. */
  readonly slug: string;
  /** 1 to 200 characters. */
  readonly name: string;
  /** 0 for a root. */
  readonly parent: number;
  readonly meta: MetaValues;
}

/** A term that is there now; `isNew` when it was not before. */
export interface FoundTerm {
  readonly id: number;
  readonly isNew: boolean;
}

/** Many terms at a time, in a number of statements that does not grow with theirs. */
export class TermBatches {
  readonly #store: TermStore;
  readonly #taxonomies: Taxonomies;
  readonly #metaKeys: MetaKeys;

  constructor(store: TermStore, taxonomies: Taxonomies, metaKeys: MetaKeys) {
    this.#store = store;
    this.#taxonomies = taxonomies;
    this.#metaKeys = metaKeys;
  }

  /** The slug of a term that comes from elsewhere. One without letter or digit gets one that is its own. */
  slug(taxonomy: string, given: string, name: string): string {
    const made = slugOf(given) || slugOf(name);
    if (made !== '') return made;
    const digest = createHash('sha256')
      .update(given || name)
      .digest('hex');
    return slugOf(`${taxonomy}-${digest.slice(0, 8)}`);
  }

  /** Ids of the terms that the owner has, by slug. */
  idsOf(
    sql: Knex,
    owner: TermOwner,
    taxonomy: string,
    slugs: readonly string[],
  ): Promise<Map<string, number>> {
    return this.#store.idsOf(sql, owner, taxonomy, slugs);
  }

  /**
   * Finds the terms by slug and creates those that are not there, at most some hundred at a time. Siblings may then
   * share a name: the slug tells them apart. A parent must be a term of the same taxonomy and owner.
   * @throws `rest_invalid_param` naming `meta.<key>`
   */
  async ensure(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomyId: string,
    terms: readonly BroughtTerm[],
  ): Promise<ReadonlyMap<string, FoundTerm>> {
    const taxonomy = this.#taxonomies.get(taxonomyId);
    if (!taxonomy) throw new Error(`No module declares the taxonomy "${taxonomyId}".`);
    const bySlug = new Map(terms.map((term) => [term.slug, term]));
    const found = new Map<string, FoundTerm>();
    await this.#find(trx, owner, taxonomy, [...bySlug.keys()], found);
    const missing = [...bySlug.values()].filter(({ slug }) => !found.has(slug));
    if (missing.length === 0) return found;
    const rows = await this.#rows(trx, owner, taxonomy, missing);
    await this.#create(trx, owner, taxonomy, rows, found);
    // Whoever is left was refused for his name, or another transaction was faster.
    const left = () => rows.filter(({ slug }) => !found.has(slug));
    await this.#find(
      trx,
      owner,
      taxonomy,
      left().map(({ slug }) => slug),
      found,
    );
    const nameless = left().map((row) => ({ ...row, name_key: null }));
    await this.#create(trx, owner, taxonomy, nameless, found);
    return found;
  }

  async #find(
    trx: Knex.Transaction,
    owner: TermOwner,
    { id }: Taxonomy,
    slugs: readonly string[],
    found: Map<string, FoundTerm>,
  ): Promise<void> {
    if (slugs.length === 0) return;
    const ids = await this.#store.idsOf(trx, owner, id, slugs);
    for (const [slug, termId] of ids) found.set(slug, { id: termId, isNew: false });
  }

  async #create(
    trx: Knex.Transaction,
    owner: TermOwner,
    { id }: Taxonomy,
    rows: readonly TermRow[],
    found: Map<string, FoundTerm>,
  ): Promise<void> {
    const ids = await this.#store.insertMany(trx, owner, id, rows);
    for (const [slug, termId] of ids) found.set(slug, { id: termId, isNew: true });
  }

  async #rows(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: Taxonomy,
    terms: readonly BroughtTerm[],
  ): Promise<TermRow[]> {
    const last = taxonomy.ordered ? await this.#store.greatestOrder(trx, owner, taxonomy.id) : 0;
    return terms.map(({ slug, name, parent, meta }, at) => ({
      name,
      name_key: nameKey(taxonomy, name),
      slug,
      parent: taxonomy.hierarchical ? parent : 0,
      order: taxonomy.ordered ? last + 1 + at : 0,
      icon: '',
      names: {},
      meta: mergeMeta({}, this.#metaKeys.check('term', taxonomy.id, meta, {})),
    }));
  }
}
