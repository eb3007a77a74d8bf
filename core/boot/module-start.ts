import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { coreMigrations } from '../db/migrations/index.ts';
import { errorNow } from '../discovery/load-modules.ts';
import { type InstalledModule, type InstalledModules, specs } from '../registry/spec.ts';
import type { Services } from './container.ts';

/** Milliseconds that `start` and `stop` of a module may take each. */
const hookLimitMs = 10_000;

/** Brings the schema up to date; a module whose step fails gets `migration_failed` and harms nothing else. */
export async function migrateAll(
  db: Database,
  modules: InstalledModules,
  log: Logger,
): Promise<InstalledModules> {
  const sets = [...specs(modules)].map((spec) => ({ module: spec.id, migrations: spec.migrations }));
  const failures = await migrate(db, [{ module: 'core', migrations: coreMigrations }, ...sets]);
  const core = failures.find((failure) => failure.module === 'core');
  if (core) throw core.error;
  const migrated = new Map<string, InstalledModule>(modules);
  for (const { module: id, migration, error } of failures) {
    log.error({ err: error, module: id, migration }, 'migration failed');
    const module = migrated.get(id);
    const message = `Migration ${migration}: ${(error as Error).message}`;
    if (module) migrated.set(id, { ...module, error: errorNow('migration_failed', message) });
  }
  return migrated;
}

/** Rejects when `work` is later than the limit; the name says whose work it is. */
export async function withinLimit(name: string, work: () => Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} took longer than ${hookLimitMs} ms.`)), hookLimitMs);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs every module's `start`; one that throws or is late gets `load_failed` and is served no more. */
export async function startModules(
  modules: InstalledModules,
  services: Services,
  log: Logger,
): Promise<InstalledModules> {
  const started = new Map<string, InstalledModule>(modules);
  await Promise.all(
    [...specs(modules)].map(async (spec) => {
      services.addModule(spec);
      const { start } = spec.hooks;
      if (!start) return;
      const tools = { log: log.child({ module: spec.id }), get: services.resolve(spec) };
      try {
        await withinLimit(`start of ${spec.id}`, () => start(tools));
      } catch (error) {
        log.error({ err: error, module: spec.id }, 'module failed to start');
        const module = started.get(spec.id);
        const message = `start: ${error instanceof Error ? error.message : String(error)}`;
        if (module) started.set(spec.id, { ...module, error: errorNow('load_failed', message) });
      }
    }),
  );
  return started;
}
