import type { Knex } from 'knex';

/**
 * Waits for the lock of this name and holds it until the transaction ends. For rules over several rows that no
 * index and no single row lock can keep, such as "no parent is its own descendant".
 */
export async function lockUntilCommit(trx: Knex.Transaction, name: string): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name]);
}
