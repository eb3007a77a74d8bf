import { type Call, isCoded, Posts, Taxonomies, type Term, Terms, type TermsOfPost } from '@lyceum/core';
import type { Knex } from 'knex';
import { DuplicateStore } from './duplicate-store.ts';
import type { Target } from './target.ts';

/**
 * The terms that copies get: on the same site the same ones; on another site those of the same taxonomy and slug,
 * of which missing ones are made where the caller may make them. The transaction holds the lock of copies.
 */
export class CopiedTerms {
  readonly #call: Call;
  readonly #target: Target;
  readonly #trx: Knex.Transaction;
  /** Counterparts by terms of the source; null for one that has none. */
  readonly #found = new Map<number, number | null>();

  constructor(call: Call, target: Target, trx: Knex.Transaction) {
    this.#call = call;
    this.#target = target;
    this.#trx = trx;
  }

  /** Terms of each record's copy by taxonomy; records whose copies have none are absent. */
  async of(postIds: readonly number[]): Promise<ReadonlyMap<number, TermsOfPost>> {
    const assigned = await this.#call.get(Posts).terms(postIds, this.#trx);
    const copied = new Map<number, TermsOfPost>();
    for (const [postId, terms] of assigned) {
      const sets: Record<string, number[]> = {};
      for (const [taxonomy, ids] of Object.entries(terms)) {
        const here = this.#isTaken(taxonomy) ? await this.#counterparts(ids) : [];
        if (here.length > 0) sets[taxonomy] = here;
      }
      if (Object.keys(sets).length > 0) copied.set(postId, sets);
    }
    return copied;
  }

  /** Ids of terms that have a counterpart, with it. */
  get map(): ReadonlyMap<number, number> {
    return new Map([...this.#found].flatMap(([old, now]) => (now === null ? [] : [[old, now] as const])));
  }

  /** At home a record keeps terms of a module that is off just now; elsewhere there is nobody to keep them for. */
  #isTaken(taxonomy: string): boolean {
    const { rules, state, isHome } = this.#target;
    if (rules.excludeTaxonomies.includes(taxonomy)) return false;
    const taxonomies = this.#call.get(Taxonomies);
    return isHome
      ? taxonomies.get(taxonomy)?.scope === 'site'
      : taxonomies.usable(taxonomy, 'site', state) !== null;
  }

  async #counterparts(ids: readonly number[]): Promise<number[]> {
    if (this.#target.isHome) return [...ids];
    const found = new Set<number>();
    for (const id of ids) {
      const here = await this.#counterpart(id, new Set());
      if (here !== null) found.add(here);
    }
    return [...found];
  }

  async #counterpart(id: number, below: ReadonlySet<number>): Promise<number | null> {
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    const owner = { blog_id: this.#call.site.blog_id };
    const term = await this.#call.get(Terms).find(owner, id, this.#trx);
    const found = term && ((await this.#bySlug(term)) ?? (await this.#made(term, below)));
    this.#found.set(id, found);
    return found;
  }

  #bySlug({ taxonomy, slug }: Term): Promise<number | null> {
    const { blog_id } = this.#target.site;
    return this.#call.get(DuplicateStore).termBySlug(this.#trx, blog_id, taxonomy, slug);
  }

  async #made(term: Term, below: ReadonlySet<number>): Promise<number | null> {
    if (!this.#target.can('manage_categories')) return null;
    // Damaged parents may form a circle.
    const above = new Set([...below, term.id]);
    const isRoot = term.parent === 0 || above.has(term.parent);
    const parent_id = isRoot ? 0 : ((await this.#counterpart(term.parent, above)) ?? 0);
    const { name, slug, names, icon } = term;
    const owner = { blog_id: this.#target.site.blog_id };
    try {
      const made = await this.#call
        .get(Terms)
        .create(this.#trx, owner, term.taxonomy, { name, slug, names, icon, parent_id });
      return made.id;
    } catch (error) {
      // A sibling of this name with another slug is the same term to its readers.
      if (isCoded(error, 'term_exists')) return Number(error.data.term_id);
      throw error;
    }
  }
}
