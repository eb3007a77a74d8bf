import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ToggleRef } from '../api/module.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { meetSite, meetSites } from '../jobs/meet-sites.ts';
import { mainSites, noteModules } from '../jobs/met-site-store.ts';
import type { InstalledModules, ModuleSpec } from '../registry/spec.ts';

/**
 * Notes which modules are ready to serve, with version and last step. One that is so for the first time, and on
 * without anybody's doing, meets the sites that are there already; any other one does when it is switched on.
 */
export async function noteReadyModules(
  db: Database,
  modules: InstalledModules,
  jobs: Jobs,
  log: Logger,
): Promise<void> {
  const ready = [...modules.values()].filter(
    ({ served, spec, error }) => served && spec !== null && error === null,
  );
  const facts = ready.map(({ id, version, spec }) => ({
    id,
    version,
    migratedTo: spec?.migrations.at(-1)?.id ?? null,
  }));
  await db.transaction(async (trx) => {
    for (const id of await noteModules(trx, facts)) {
      const spec = modules.get(id)?.spec;
      if (!spec?.hooks.onSiteCreated || !(spec.defaultEnabled || spec.locked)) continue;
      log.info({ module: id }, 'a new module meets the sites');
      for (const main of await mainSites(trx)) await jobs.enqueue(trx, meetSites(id, main));
    }
  });
}

/** A module that was switched on meets the sites that it has not met, in the scope of the toggle. */
export async function meetSitesOfToggle(
  trx: Knex.Transaction,
  { id, hooks }: ModuleSpec,
  { blog_id, network_id }: ToggleRef,
  jobs: Jobs,
): Promise<void> {
  if (!hooks.onSiteCreated) return;
  if (blog_id !== null) {
    await jobs.enqueue(trx, meetSite(id, { blog_id, network_id }));
    return;
  }
  const main = (await mainSites(trx)).find((site) => site.network_id === network_id);
  if (main) await jobs.enqueue(trx, meetSites(id, main));
}
