import type { Knex } from 'knex';
import type { Database } from '../../db/database.ts';
import type { Storage } from '../../files/storage.ts';
import { openJobs } from '../../jobs/site-job-store.ts';
import { isGone, markPurged } from './removed-site-store.ts';
import { deleteRows, hasRows, type TenantTable, tenantTables } from './tenant-table-store.ts';

/** Rows that one transaction of a purge deletes. */
export const purgeBatch = 1_000;

/** Takes away what the host and its modules kept of a site that is removed for good. Repeats safely. */
export class SitePurge {
  readonly #db: Database;
  readonly #storage: Storage;

  constructor(db: Database, storage: Storage) {
    this.#db = db;
    this.#storage = storage;
  }

  /** Whether the site is removed and cannot come back. */
  isGone(blogId: number): Promise<boolean> {
    return isGone(this.#db.knex, blogId);
  }

  /** Jobs of the site that have not ended, at most so many of them. */
  openJobs(blogId: number, limit: number): Promise<string[]> {
    return openJobs(this.#db.knex, blogId, limit);
  }

  /** Every table with a column `blog_id`, whoever made it; those whose rows refer to others come first. */
  tables(): Promise<TenantTable[]> {
    return tenantTables(this.#db.knex);
  }

  /** Deletes at most `purgeBatch` of the site's rows in the table: how many. */
  deleteRows(trx: Knex.Transaction, table: TenantTable, blogId: number): Promise<number> {
    return deleteRows(trx, table, blogId, purgeBatch);
  }

  /** Names of tables that still have rows of the site. */
  async tablesLeft(blogId: number): Promise<string[]> {
    const left: string[] = [];
    for (const table of await this.tables()) {
      if (await hasRows(this.#db.knex, table, blogId)) left.push(table.name);
    }
    return left;
  }

  /** Removes every file of the site. */
  removeFiles(blogId: number): Promise<void> {
    return this.#storage.removeFolder(`sites/${blogId}`);
  }

  /** Nothing is left. Title and description go too; the row stays, so that nobody gets its id. */
  finish(trx: Knex.Transaction, blogId: number): Promise<void> {
    return markPurged(trx, blogId);
  }
}
