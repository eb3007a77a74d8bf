import type { Knex } from 'knex';
import type { Database } from '../db/database.ts';
import type { Term, TermOwner } from './term.ts';
import type { TermListStore } from './term-lists-store.ts';
import type { TermStore } from './terms-store.ts';

/** Whole taxonomies of a site or network, in the order that people gave them. Each method is one query or two. */
export class TermLists {
  readonly #db: Database;
  readonly #lists: TermListStore;
  readonly #terms: TermStore;

  constructor(db: Database, lists: TermListStore, terms: TermStore) {
    this.#db = db;
    this.#lists = lists;
    this.#terms = terms;
  }

  /** All terms by order, then id. */
  all(owner: TermOwner, taxonomy: string, sql: Knex = this.#db.knex): Promise<Term[]> {
    return this.#lists.all(sql, owner, taxonomy);
  }

  /**
   * All terms by id, kept as they are until the transaction ends: whoever sorts or removes others waits. A new one
   * may come meanwhile; it goes behind the last.
   */
  async lock(trx: Knex.Transaction, owner: TermOwner, taxonomy: string): Promise<Term[]> {
    await this.#terms.lockTree(trx, owner, taxonomy);
    return this.#lists.lock(trx, owner, taxonomy);
  }

  /** Those of the ids that are terms of the taxonomy, by order. They stay until the transaction ends. */
  hold(trx: Knex.Transaction, owner: TermOwner, taxonomy: string, ids: readonly number[]): Promise<Term[]> {
    return this.#lists.hold(trx, owner, taxonomy, ids);
  }

  /** Gives the locked terms the orders 1, 2, 3… */
  sort(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
    return this.#lists.setOrder(trx, ids);
  }
}
