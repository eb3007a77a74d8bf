import type { Knex } from 'knex';
import type { Migration } from '../api/module.ts';
import { asModule } from '../isolation/running.ts';
import type { Database } from './database.ts';
import { noteTables, presentTables } from './module-table-store.ts';
import { withoutStandstill } from './standstill.ts';

/** One lock for all migrations of an installation, whichever process runs them. */
const lockKey = 4_915_001;

export interface MigrationSet {
  /** Module id, or `core`. */
  readonly module: string;
  readonly migrations: readonly Migration[];
}

/** Why a module's schema could not be brought up to date. The failed step was rolled back. */
export interface MigrationFailure {
  readonly module: string;
  readonly migration: string;
  readonly error: unknown;
}

const applied = async (sql: Knex): Promise<Set<string>> => {
  const rows = await sql<{ module: string; id: string }>('migrations').select('module', 'id');
  return new Set(rows.map((row) => `${row.module}/${row.id}`));
};

/**
 * Runs what is not yet applied, each step in a transaction of its own. One table keeps what ran for all
 * modules, so an up-to-date installation pays one query; a removed module's rows disturb nobody.
 * A failing step ends its module's set only.
 */
export async function migrate(db: Database, sets: readonly MigrationSet[]): Promise<MigrationFailure[]> {
  const pending = async (): Promise<MigrationSet[]> => {
    const done = await applied(db.knex);
    return sets
      .map((set) => ({
        ...set,
        migrations: set.migrations.filter((m) => !done.has(`${set.module}/${m.id}`)),
      }))
      .filter((set) => set.migrations.length > 0);
  };
  await createTable(db.knex);
  const failures = await tooNew(db.knex, sets);
  const refused = new Set(failures.map(({ module }) => module));
  const ready = (set: MigrationSet): boolean => !refused.has(set.module);
  if (!(await pending()).some(ready)) return failures;
  return db.knex.transaction(async (lock) => {
    await lock.raw('select pg_advisory_xact_lock(?)', [lockKey]);
    for (const set of (await pending()).filter(ready)) {
      const failure = await runSet(db, set);
      if (failure) failures.push(failure);
    }
    return failures;
  });
}

/**
 * Modules of which a step ran that they do not know: a later version was here, and what it made of the tables an
 * earlier one cannot read. Nothing of them runs.
 */
async function tooNew(sql: Knex, sets: readonly MigrationSet[]): Promise<MigrationFailure[]> {
  const rows = await sql<{ module: string; id: string }>('migrations').orderBy('id').select('module', 'id');
  const failures: MigrationFailure[] = [];
  for (const { module, migrations } of sets) {
    // The host of an earlier version is what an operator may need in a hurry; its steps only add.
    if (module === 'core') continue;
    const known = new Set(migrations.map(({ id }) => id));
    const unknown = rows.find((row) => row.module === module && !known.has(row.id));
    if (!unknown) continue;
    const state = await sql('module_state').where('id', module).first('version');
    const version = state?.version ? ` (${state.version as string})` : '';
    const error = new Error(
      `ran already, and this version of the package does not know it. A later one${version} was installed here: install that one, or one after it.`,
    );
    failures.push({ module, migration: unknown.id, error });
  }
  return failures;
}

async function createTable(sql: Knex): Promise<void> {
  const { rows } = (await sql.raw(`select to_regclass('migrations') as found`)) as {
    rows: { found: unknown }[];
  };
  if (rows[0]?.found) return;
  await sql.transaction(async (trx) => {
    // "if not exists" alone still fails when two processes create the table at the same moment.
    await trx.raw('select pg_advisory_xact_lock(?)', [lockKey]);
    await trx.raw(`create table if not exists migrations (
      module text not null,
      id text not null,
      applied_at timestamptz(3) not null default now(),
      primary key (module, id)
    )`);
  });
}

/** Runs all steps of a module whose tables were dropped, in the transaction that did. */
export async function migrateAgain(trx: Knex.Transaction, set: MigrationSet): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [lockKey]);
  for (const migration of set.migrations) await runStep(trx, set.module, migration);
}

async function runStep(trx: Knex.Transaction, module: string, migration: Migration): Promise<void> {
  const before = module === 'core' ? null : await presentTables(trx);
  await withoutStandstill(trx, () => asModule(module, () => migration.up(trx)));
  if (before) await noteTables(trx, module, before);
  await trx('migrations').insert({ module, id: migration.id });
}

async function runSet(db: Database, set: MigrationSet): Promise<MigrationFailure | null> {
  for (const migration of set.migrations) {
    try {
      await db.knex.transaction((trx) => runStep(trx, set.module, migration));
    } catch (error) {
      return { module: set.module, migration: migration.id, error };
    }
  }
  return null;
}
