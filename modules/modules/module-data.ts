import {
  audit,
  type Call,
  Database,
  fail,
  Jobs,
  ModuleData,
  type ModuleSpec,
  type RemovedData,
  Sites,
  State,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { filesPerJob, removeFiles } from './jobs/remove-files.ts';

/** Counts, as the answer shows them. */
const shown = (id: string, { files, ...removed }: RemovedData) => ({
  id,
  ...removed,
  files: files.keys.length + files.folders.length,
});

/** Removes all in one transaction, in which nobody can switch the module on. */
export function removeModuleData(call: Call, id: string, spec: ModuleSpec | null) {
  return call.get(Database).transaction(async (trx) => {
    await call.get(State).lock(trx, call.site.blog_id);
    const data = call.get(ModuleData);
    if (!spec && !(await data.isKnown(trx, id))) fail('module_not_found');
    await refuseUse(call, trx, id, spec);
    const removed = await data.remove(trx, id, spec).catch(orReferredTo);
    await enqueueFiles(call, trx, removed.files);
    const answer = shown(id, removed);
    await audit(trx, call, {
      module: 'modules',
      action: 'module.data',
      scope: 'network',
      subject: `module:${id}`,
      blogId: null,
      from: answer,
      to: null,
    });
    return answer;
  });
}

async function refuseUse(
  call: Call,
  trx: Knex.Transaction,
  id: string,
  spec: ModuleSpec | null,
): Promise<void> {
  const data = call.get(ModuleData);
  const { networks, sites } = spec ? await data.wishedOn(trx, spec) : { networks: [], sites: 0 };
  if (networks.length > 0 || sites > 0) {
    fail('module_data_in_use', {
      message: `The module ${id} is on; switch it off in every network and remove the overrides of sites.`,
      data: { reason: 'enabled', networks, sites },
    });
  }
  const jobs = await data.runningJobs(trx, id);
  if (jobs > 0) {
    fail('module_data_in_use', {
      message: `Jobs of the module ${id} are still running.`,
      data: { reason: 'jobs', jobs },
    });
  }
}

/** A table or view that is not of this module refers to one of its tables. */
function orReferredTo(error: unknown): never {
  if ((error as { code?: unknown }).code !== '2BP01') throw error;
  return fail('module_data_in_use', {
    message: 'Tables of another module refer to those of this one.',
    data: { reason: 'referred_to' },
    cause: error,
  });
}

async function enqueueFiles(call: Call, trx: Knex.Transaction, files: RemovedData['files']): Promise<void> {
  const { network_id } = call.site;
  const { root_blog_id } = await call.get(Sites).networkPlace(network_id);
  const most = Math.max(files.keys.length, files.folders.length);
  for (let at = 0; at < most; at += filesPerJob) {
    const part = (names: readonly string[]) => names.slice(at, at + filesPerJob);
    await call.get(Jobs).enqueue(trx, {
      type: removeFiles.id,
      payload: { keys: part(files.keys), folders: part(files.folders) },
      site: { blog_id: root_blog_id, network_id },
      userId: null,
      startAfterSeconds: 0,
    });
  }
}
