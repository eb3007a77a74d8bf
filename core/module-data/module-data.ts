import type { Knex } from 'knex';
import { hostSteps } from '../db/host-tables.ts';
import { migrateAgain } from '../db/migrate.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import {
  deleteJobs,
  deleteMeta,
  deletePosts,
  deleteSettings,
  deleteTerms,
  dropTables,
  filesOf,
  forgetModule,
  isKnown,
  runningJobs,
  tablesOf,
  wishedOn,
} from './module-data-store.ts';

/** What was removed of a module. Files go later: these are the keys, and the folders of which all goes. */
export interface RemovedData {
  readonly tables: readonly string[];
  readonly migrations: number;
  readonly settings: number;
  readonly posts: number;
  readonly terms: number;
  readonly meta: number;
  readonly jobs: number;
  readonly files: { readonly keys: readonly string[]; readonly folders: readonly string[] };
}

/** All that the installation keeps of one module, whether its package is there or not. */
export class ModuleData {
  /** True for a module that has left something, if only its name. */
  async isKnown(sql: Knex, moduleId: string): Promise<boolean> {
    // Steps of the host are noted beside those of modules, but its data is nobody's to remove.
    return moduleId !== hostSteps && isKnown(sql, moduleId);
  }

  /** Where the module is wished on; nowhere, when nothing of it may be used. */
  wishedOn(trx: Knex.Transaction, { id, defaultEnabled }: ModuleSpec) {
    return wishedOn(trx, id, defaultEnabled);
  }

  /** Jobs of the module that run now. */
  runningJobs(trx: Knex.Transaction, moduleId: string): Promise<number> {
    return runningJobs(trx, moduleId);
  }

  /**
   * Removes everything, and makes the tables of an installed module anew, empty, so that it can be switched on.
   * @param spec null when its package is gone or does not load: then what only its declaration could tell stays
   *   (records of its post types and taxonomies, meta, files)
   * @throws SQLSTATE 2BP01 when something of another module refers to a table of it
   */
  async remove(trx: Knex.Transaction, moduleId: string, spec: ModuleSpec | null): Promise<RemovedData> {
    const declared = spec?.tables ?? {};
    const tables = await tablesOf(trx, moduleId, Object.keys(declared));
    const files = { keys: [] as string[], folders: [] as string[] };
    for (const table of tables) {
      const kept = Object.hasOwn(declared, table) ? declared[table]?.files : undefined;
      if (!kept) continue;
      for await (const { keys, folders } of filesOf(trx, table, kept)) {
        files.keys.push(...keys);
        files.folders.push(...folders);
      }
    }
    await dropTables(trx, tables);
    const posts = await deletePosts(trx, spec?.postTypes.map(({ id }) => id) ?? []);
    const terms = await deleteTerms(trx, spec?.taxonomies.map(({ id }) => id) ?? []);
    let meta = 0;
    for (const key of spec?.meta ?? []) meta += await deleteMeta(trx, key);
    const settings = await deleteSettings(trx, moduleId);
    const jobs = await deleteJobs(trx, moduleId);
    const migrations = await forgetModule(trx, moduleId);
    if (spec) await migrateAgain(trx, { module: moduleId, migrations: spec.migrations });
    return { tables, migrations, settings, posts, terms, meta, jobs, files };
  }
}
