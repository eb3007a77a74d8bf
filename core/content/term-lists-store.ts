import type { Knex } from 'knex';
import type { Term, TermOwner } from './term.ts';
import { ownedBy, termColumns } from './terms-store.ts';

/** Reads and sorts whole taxonomies. */
export class TermListStore {
  async all(sql: Knex, owner: TermOwner, taxonomy: string): Promise<Term[]> {
    const query = sql<Term>('terms').where({ ...ownedBy(owner), taxonomy });
    return (await query.orderBy(['order', 'id']).select(termColumns)) as Term[];
  }

  /** Keeps them as they are until the transaction ends; in the order of their ids, so that nobody waits in a circle. */
  async lock(trx: Knex.Transaction, owner: TermOwner, taxonomy: string): Promise<Term[]> {
    const query = trx<Term>('terms').where({ ...ownedBy(owner), taxonomy });
    return (await query.orderBy('id').forNoKeyUpdate().select(termColumns)) as Term[];
  }

  /** Those of the ids that are terms of the taxonomy, by order; they cannot be deleted until the transaction ends. */
  async hold(
    trx: Knex.Transaction,
    owner: TermOwner,
    taxonomy: string,
    ids: readonly number[],
  ): Promise<Term[]> {
    const query = trx<Term>('terms').where({ ...ownedBy(owner), taxonomy });
    return (await query
      .whereRaw('id = any(?)', [[...ids]])
      .orderBy(['order', 'id'])
      .forKeyShare()
      .select(termColumns)) as Term[];
  }

  /** Gives the terms the orders 1, 2, 3…; one statement, which writes those alone that had another. */
  async setOrder(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
    await trx.raw(
      `update terms t set "order" = w.place
       from unnest(?::int[]) with ordinality as w (id, place)
       where t.id = w.id and t."order" <> w.place`,
      [[...ids]],
    );
  }
}
