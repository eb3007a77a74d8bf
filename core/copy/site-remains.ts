import type { Knex } from 'knex';
import { deleteRows, type TenantTable, tenantTables } from '../content/sites/tenant-table-store.ts';
import type { Database } from '../db/database.ts';
import type { Storage } from '../files/storage.ts';
import { forgetMap } from './copy-map-store.ts';
import { lockTarget, removeTarget } from './target-store.ts';

/** Does its work in one transaction. */
export type Within = (work: (trx: Knex.Transaction) => Promise<void>) => Promise<void>;

/** Rows of one batch. */
const mostRows = 1_000;

/** Removes sites that never became whole: rows, files, and at last the row that holds the address. */
export class SiteRemains {
  readonly #db: Database;
  readonly #storage: Storage;

  constructor(db: Database, storage: Storage) {
    this.#db = db;
    this.#storage = storage;
  }

  /**
   * May be interrupted and repeated; a site that is whole, or gone, is left alone.
   * @param jobIds the jobs that made it, whose maps go, too
   * @param within the transaction of each batch
   */
  async clear(blogId: number, jobIds: readonly string[], within: Within): Promise<void> {
    if (!(await this.#isOurs(blogId, within))) return;
    for (const table of await tenantTables(this.#db.knex)) await this.#empty(table, blogId, within);
    await this.#storage.removeFolder(`sites/${blogId}`);
    for (const jobId of jobIds) await this.#forget(jobId, within);
    await within((trx) => removeTarget(trx, blogId));
  }

  async #isOurs(blogId: number, within: Within): Promise<boolean> {
    let found = false;
    await within(async (trx) => {
      found = (await lockTarget(trx, blogId)) !== null;
    });
    return found;
  }

  async #empty(table: TenantTable, blogId: number, within: Within): Promise<void> {
    for (let more = true; more; ) {
      await within(async (trx) => {
        more =
          (await lockTarget(trx, blogId)) !== null && (await deleteRows(trx, table, blogId, mostRows)) > 0;
      });
    }
  }

  async #forget(jobId: string, within: Within): Promise<void> {
    for (let more = true; more; ) {
      await within(async (trx) => {
        more = await forgetMap(trx, jobId);
      });
    }
  }
}
