import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { InstalledModules } from '../registry/spec.ts';
import { bumpRevision } from '../state/site-state.ts';
import { blamedFor } from './blame.ts';
import { clearCrashes, haltedModules, recordCrash } from './crash-store.ts';
import { legible } from './legible.ts';

export interface CrashParts {
  readonly db: Database;
  /** Asked for at each crash: packages come and go. */
  readonly modules: () => InstalledModules;
  /** Told of each crash in this process, also where a module is off already or cannot be switched off. */
  readonly counted: (module: string) => void;
  readonly log: Logger;
}

/** Something that a module did and that nobody foresaw. */
export interface Crash {
  readonly module: string;
  /** Where it happened, in words that operators may read: an operation, a job, a hook. */
  readonly place: string;
  readonly error: unknown;
}

/**
 * Counts what modules do wrong, over the whole installation. The third crash within an hour switches a module off;
 * a locked one is only spoken of, for nobody could switch it on again.
 */
export class Crashes {
  readonly #parts: CrashParts;

  constructor(parts: CrashParts) {
    this.#parts = parts;
  }

  /** Resolves when the crash is counted, so that the next request meets the consequence. Never rejects. */
  async charge({ module, place, error: thrown }: Crash): Promise<void> {
    const { db, modules, counted, log } = this.#parts;
    const guilty = blamedFor(thrown) ?? module;
    const error = legible(thrown);
    counted(guilty);
    log.error({ err: error, module: guilty, place }, 'module crashed');
    const spec = modules().get(guilty)?.spec;
    if (!spec || spec.locked) return;
    try {
      const off = await db.transaction((trx) => recordCrash(trx, guilty, place));
      if (off) log.error({ module: guilty }, 'module switched off: it crashed too often');
    } catch (failure) {
      log.warn({ err: failure, module: guilty }, 'crash not counted');
    }
  }

  /** Forgets the crashes and the error of a module, and announces it. */
  async clear(trx: Knex.Transaction, module: string): Promise<void> {
    // The installation's row first, as whoever switches a module off takes it.
    await bumpRevision(trx);
    await clearCrashes(trx, module);
  }

  /** Modules that are off because they crashed, as of now. */
  halted(): Promise<ReadonlySet<string>> {
    return haltedModules(this.#parts.db.knex);
  }
}
