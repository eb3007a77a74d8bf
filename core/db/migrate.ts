import type { Knex } from 'knex';
import type { Migration } from '../api/module.ts';
import type { Database } from './database.ts';

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
  if ((await pending()).length === 0) return [];
  return db.knex.transaction(async (lock) => {
    await lock.raw('select pg_advisory_xact_lock(?)', [lockKey]);
    const failures: MigrationFailure[] = [];
    for (const set of await pending()) {
      const failure = await runSet(db, set);
      if (failure) failures.push(failure);
    }
    return failures;
  });
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

async function runSet(db: Database, set: MigrationSet): Promise<MigrationFailure | null> {
  for (const migration of set.migrations) {
    try {
      await db.knex.transaction(async (trx) => {
        await migration.up(trx);
        await trx('migrations').insert({ module: set.module, id: migration.id });
      });
    } catch (error) {
      return { module: set.module, migration: migration.id, error };
    }
  }
  return null;
}
