import type { Knex } from 'knex';
import { lockUntilCommit } from '../db/locks.ts';
import { bumpRevision } from '../state/site-state.ts';

/** The third crash within so many minutes switches the module off. */
export const crashLimit = 3;
export const crashMinutes = 60;

/** Code of the error of a module that is off because it crashed. */
export const crashedCode = 'crashed';

const since = (sql: Knex) => sql.raw('now() - make_interval(mins => ?)', [crashMinutes]);

const recent = async (sql: Knex, moduleId: string): Promise<string[]> =>
  (await sql('module_crashes')
    .where('module', moduleId)
    .where('at', '>', since(sql))
    .orderBy('id')
    .pluck('place')) as string[];

const isHalted = async (sql: Knex, moduleId: string): Promise<boolean> =>
  (await sql('module_state').where('id', moduleId).whereNotNull('error').first('id')) !== undefined;

/**
 * Counts a crash; the one that is too many switches the module off in the same transaction.
 * @returns true when this one did
 */
export async function recordCrash(trx: Knex.Transaction, moduleId: string, place: string): Promise<boolean> {
  await lockUntilCommit(trx, `crashes of ${moduleId}`);
  if (await isHalted(trx, moduleId)) return false;
  await trx('module_crashes').where('module', moduleId).where('at', '<=', since(trx)).delete();
  await trx('module_crashes').insert({ module: moduleId, place });
  if ((await recent(trx, moduleId)).length < crashLimit) return false;
  // Before the module's row, as a toggle does; one that was on its way may just have cleared the count.
  await bumpRevision(trx);
  const places = await recent(trx, moduleId);
  if (places.length < crashLimit) return false;
  await halt(trx, moduleId, places);
  return true;
}

async function halt(trx: Knex.Transaction, moduleId: string, places: readonly string[]): Promise<void> {
  const error = {
    code: crashedCode,
    message: `Crashed ${places.length} times within ${crashMinutes} minutes: ${places.join(', ')}.`,
    at: new Date().toISOString(),
  };
  await trx('module_state')
    .insert({ id: moduleId, error: JSON.stringify(error) })
    .onConflict('id')
    .merge(['error']);
  // It is off in every network, so every network's record says so.
  await trx.raw(
    `insert into audit_log (network_id, module, action, subject, "to")
       select network_id, 'modules', 'module.error', ?, ?::jsonb from networks order by network_id`,
    [`module:${moduleId}`, JSON.stringify(error)],
  );
}

/** Forgets crashes and error of a module. The caller holds the installation's row. */
export async function clearCrashes(trx: Knex.Transaction, moduleId: string): Promise<void> {
  await trx('module_crashes').where('module', moduleId).delete();
  await trx('module_state').where('id', moduleId).update({ error: null });
}

/** Modules that are off because they crashed. */
export const haltedModules = async (sql: Knex): Promise<ReadonlySet<string>> =>
  new Set((await sql('module_state').whereNotNull('error').pluck('id')) as string[]);
