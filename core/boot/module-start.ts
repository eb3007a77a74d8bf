import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { type MigrationFailure, type MigrationSet, migrate } from '../db/migrate.ts';
import { coreMigrations } from '../db/migrations/index.ts';
import { errorNow } from '../discovery/load-package.ts';
import { legible, messageOf } from '../isolation/legible.ts';
import { asModule } from '../isolation/running.ts';
import { inRequirementOrder } from '../registry/requirement-order.ts';
import { type InstalledModule, type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import type { Services } from './container.ts';

/** Milliseconds that `start` and `stop` of a module may take each. */
const hookLimitMs = 10_000;

/** Brings the schema up to date; a module whose step fails gets `migration_failed` and harms nothing else. */
export async function migrateAll(
  db: Database,
  modules: InstalledModules,
  log: Logger,
): Promise<InstalledModules> {
  const core = { module: 'core', migrations: coreMigrations };
  const failures = await migrate(db, [core, ...setsOf(specs(modules))]);
  const failed = failures.find(({ module }) => module === 'core');
  if (failed) throw failed.error;
  return withFailures(modules, failures, log);
}

/** The same for some modules, when the host runs already. */
export async function migrateModules(
  db: Database,
  modules: InstalledModules,
  some: readonly ModuleSpec[],
  log: Logger,
): Promise<InstalledModules> {
  return withFailures(modules, await migrate(db, setsOf(some)), log);
}

/** Those first that others name: their tables may be referred to. */
const setsOf = (some: Iterable<ModuleSpec>): MigrationSet[] =>
  inRequirementOrder(some).map(({ id, migrations }) => ({ module: id, migrations }));

function withFailures(
  modules: InstalledModules,
  failures: readonly MigrationFailure[],
  log: Logger,
): InstalledModules {
  const migrated = new Map<string, InstalledModule>(modules);
  for (const { module: id, migration, error } of failures) {
    log.error({ err: legible(error), module: id, migration }, 'migration failed');
    const message = `Migration ${migration}: ${messageOf(error)}`;
    fault(migrated, id, 'migration_failed', message);
  }
  return migrated;
}

/** Notes why a module does not work. */
function fault(modules: Map<string, InstalledModule>, id: string, code: string, message: string): void {
  const module = modules.get(id);
  if (module) modules.set(id, { ...module, error: errorNow(code, message), served: false });
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

/** Makes the services of these modules and runs their `start`; one that throws or is late gets `load_failed`. */
export async function startModules(
  modules: InstalledModules,
  some: readonly ModuleSpec[],
  services: Services,
  log: Logger,
): Promise<InstalledModules> {
  const started = new Map<string, InstalledModule>(modules);
  // All services before the first start: it may ask for those of another module.
  const provided = some.map((spec) => ({ spec, problem: provideServices(spec, modules, services) }));
  await Promise.all(
    provided.map(async ({ spec, problem }) => {
      try {
        if (problem) throw problem;
        const { start } = spec.hooks;
        if (!start) return;
        const tools = { log: log.child({ module: spec.id }), get: services.resolve(spec) };
        await withinLimit(`start of ${spec.id}`, () => asModule(spec.id, () => start(tools)));
      } catch (error) {
        log.error({ err: legible(error), module: spec.id }, 'module failed to start');
        const message = `start: ${messageOf(error)}`;
        fault(started, spec.id, 'load_failed', message);
      }
    }),
  );
  return started;
}

function provideServices(spec: ModuleSpec, modules: InstalledModules, services: Services): Error | null {
  try {
    services.addModule(spec, modules);
    return null;
  } catch (error) {
    return new Error(`services threw: ${messageOf(error)}`);
  }
}

/** Runs `stop` of these modules, those first that name others; one that fails keeps no other from it. */
export async function stopModules(some: Iterable<ModuleSpec>, log: Logger): Promise<void> {
  for (const { id, hooks } of inRequirementOrder(some).reverse()) {
    const { stop } = hooks;
    if (!stop) continue;
    try {
      await withinLimit(`stop of ${id}`, stop);
    } catch (error) {
      log.error({ err: legible(error), module: id }, 'module failed to stop');
    }
  }
}
