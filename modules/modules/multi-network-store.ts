import { bumpRevision, type Database, operatorNetworkId } from '@lyceum/core';
import type { Knex } from 'knex';

export interface Commit {
  readonly committed: boolean;
  readonly committed_at: string | null;
  readonly committed_by: number | null;
  /** How many networks there are. */
  readonly networks: number;
}

/** The installation's multi-network commit: one row, changed under its lock. */
export class MultiNetworkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  read(): Promise<Commit> {
    return readCommit(this.#db.knex);
  }

  /** The commit with its row locked, so that no other change comes between reading and writing. */
  async lock(trx: Knex.Transaction): Promise<Commit> {
    await trx('installation').forUpdate().first('revision');
    return readCommit(trx);
  }

  async write(trx: Knex.Transaction, committedBy: number | null): Promise<void> {
    const committed = committedBy !== null;
    await trx('installation').update({
      multi_network_at: committed ? trx.fn.now() : null,
      multi_network_by: committedBy,
    });
    await bumpRevision(trx);
  }

  /** Whether the user is a super admin of the installation's first network. */
  async isOperator(userId: number): Promise<boolean> {
    return Boolean(
      await this.#db
        .knex('super_admins')
        .where({ network_id: operatorNetworkId, user_id: userId })
        .first('user_id'),
    );
  }
}

async function readCommit(sql: Knex): Promise<Commit> {
  const row = await sql('installation')
    .select({ at: 'multi_network_at', by: 'multi_network_by' })
    .select({ networks: sql('networks').count('*') })
    .first();
  return {
    committed: row.at !== null,
    committed_at: row.at,
    committed_by: row.by,
    networks: row.networks,
  };
}
