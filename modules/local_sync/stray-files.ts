import type { Database, Storage } from '@lyceum/core';
import type { StrayStore } from './stores/stray-store.ts';

/** Files that are read at once from the notes. */
const batch = 500;

/** Removes stored files that belong to nobody. Each has its note until it is gone. */
export class StrayFiles {
  readonly #db: Database;
  readonly #storage: Storage;
  readonly #strays: StrayStore;

  constructor(db: Database, storage: Storage, strays: StrayStore) {
    this.#db = db;
    this.#storage = storage;
    this.#strays = strays;
  }

  /** What fails stays for the sweep. */
  async removeNow(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#remove(key).catch(() => undefined);
  }

  /** All that were noted before a moment. Files that cannot be removed wait for the next turn. */
  async sweep(before: Date, signal: AbortSignal): Promise<void> {
    for (let last: string | null = null; !signal.aborted; ) {
      const keys = await this.#strays.notedBefore(this.#db.knex, before, batch);
      // The first one is still there: nothing was removed.
      if (keys[0] === undefined || keys[0] === last) return;
      last = keys[0];
      for (const key of keys) {
        if (signal.aborted) return;
        await this.#remove(key);
      }
    }
  }

  async #remove(key: string): Promise<void> {
    await this.#storage.remove(key);
    await this.#db.transaction((trx) => this.#strays.settle(trx, key));
  }
}
