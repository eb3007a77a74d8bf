import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Storage } from '../../files/storage.ts';
import type { AttachmentStore } from './attachment-store.ts';
import { UnclaimedFileStore } from './unclaimed-file-store.ts';

export interface UnclaimedFilesParts {
  readonly db: Database;
  readonly storage: Storage;
  readonly store: AttachmentStore;
  readonly log: Logger;
}

/**
 * Stored files that no attachment has: not yet, or not any more. Each is noted, so that what a killed process leaves
 * is found.
 */
export class UnclaimedFiles {
  readonly #parts: UnclaimedFilesParts;
  readonly #notes = new UnclaimedFileStore();

  constructor(parts: UnclaimedFilesParts) {
    this.#parts = parts;
  }

  /** To be done before the file is stored, or in the transaction that takes it from its attachment. */
  note(sql: Knex, fileKey: string): Promise<void> {
    return this.#notes.note(sql, fileKey);
  }

  /** This transaction gives the file to an attachment. False when it was swept up meanwhile. */
  async claim(trx: Knex.Transaction, fileKey: string): Promise<boolean> {
    await this.#parts.store.claimFile(trx, fileKey);
    return this.#notes.settle(trx, fileKey);
  }

  /** Removes the file and its note unless an attachment has it: waits for transactions that could give it to one. */
  async remove(fileKey: string): Promise<void> {
    const { db, storage, store } = this.#parts;
    await db.transaction(async (trx) => {
      if (!(await store.hasFile(trx, fileKey))) await storage.remove(fileKey);
      await this.#notes.settle(trx, fileKey);
    });
  }

  /** The same, but it never throws: nobody can reach the file, and the sweep comes by. */
  async takeBack(fileKey: string): Promise<void> {
    try {
      await this.remove(fileKey);
    } catch (error) {
      this.#parts.log.warn({ err: error, file_key: fileKey }, 'a file that nobody has was not removed');
    }
  }

  /**
   * Removes files that were noted before this moment.
   * @param signal ends it between two files
   */
  async sweep(before: Date, signal: AbortSignal): Promise<void> {
    for (const fileKey of await this.#notes.notedBefore(this.#parts.db.knex, before)) {
      if (signal.aborted) return;
      await this.takeBack(fileKey);
    }
  }
}
