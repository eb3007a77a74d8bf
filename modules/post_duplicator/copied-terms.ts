import { type Call, isCoded, Posts, Taxonomies, type Term, Terms } from '@lyceum/core';
import type { Knex } from 'knex';
import { DuplicateStore } from './duplicate-store.ts';
import type { Target } from './target.ts';

/** Terms of the target by those of the source; what has none there is absent. */
export type TermMap = ReadonlyMap<number, number>;

/**
 * Finds the terms of these records on another site by taxonomy and slug; missing ones are made where the caller may
 * make them. Two that do so at once make each once.
 */
export class CopiedTerms {
  readonly #call: Call;
  readonly #target: Target;
  readonly #trx: Knex.Transaction;
  readonly #found = new Map<number, number | null>();

  constructor(call: Call, target: Target, trx: Knex.Transaction) {
    this.#call = call;
    this.#target = target;
    this.#trx = trx;
  }

  /** The terms of the records, and of their ancestors those that had to be made. */
  async map(postIds: readonly number[]): Promise<TermMap> {
    const assigned = await this.#call.get(Posts).terms(postIds, this.#trx);
    for (const terms of assigned.values()) {
      for (const [taxonomy, ids] of Object.entries(terms)) {
        if (!isTaken(this.#call, this.#target, taxonomy)) continue;
        for (const id of ids) await this.#counterpart(id, new Set());
      }
    }
    return new Map([...this.#found].flatMap(([old, now]) => (now === null ? [] : [[old, now] as const])));
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

  async #bySlug({ taxonomy, slug }: Term): Promise<number | null> {
    const store = this.#call.get(DuplicateStore);
    const found = await store.termsBySlug(this.#trx, this.#target.site.blog_id, taxonomy, [slug]);
    return found.get(slug) ?? null;
  }

  async #made(term: Term, below: ReadonlySet<number>): Promise<number | null> {
    if (!this.#target.can('manage_categories')) return null;
    // Damaged parents may form a circle.
    const above = new Set([...below, term.id]);
    const parent =
      term.parent === 0 || above.has(term.parent) ? null : await this.#counterpart(term.parent, above);
    await this.#call.get(DuplicateStore).lockTerms(this.#trx, this.#target.site.blog_id, term.taxonomy);
    return (await this.#bySlug(term)) ?? this.#create(term, parent ?? 0);
  }

  async #create({ taxonomy, name, slug, names, icon }: Term, parent_id: number): Promise<number | null> {
    const owner = { blog_id: this.#target.site.blog_id };
    try {
      const term = await this.#call
        .get(Terms)
        .create(this.#trx, owner, taxonomy, { name, slug, names, icon, parent_id });
      return term.id;
    } catch (error) {
      // A sibling of this name with another slug is the same term to its readers.
      if (isCoded(error, 'term_exists')) return Number(error.data.term_id);
      throw error;
    }
  }
}

/** Whether terms of the taxonomy are copied to the target. */
export const isTaken = (call: Call, { rules, state }: Target, taxonomy: string): boolean =>
  !rules.excludeTaxonomies.includes(taxonomy) &&
  call.get(Taxonomies).usable(taxonomy, 'site', state) !== null;
