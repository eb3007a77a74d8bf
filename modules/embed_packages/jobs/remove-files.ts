import { Database, defineJob, TransientFailure } from '@lyceum/core';
import { PackageContents } from '../package-contents.ts';
import { RemainsStore } from '../remains-store.ts';
import { removeFilesJob } from './remove-files-job.ts';

/** Two seconds to some hours; what a storage refuses for longer is taken by the daily sweep. */
const tries = [2, 10, 60, 300, 900, 3_600, 3_600, 3_600, 3_600, 3_600];

/** Removes the files of superseded or deleted content. */
export const removeFiles = defineJob<{ readonly folder: string }>({
  id: removeFilesJob,
  title: 'Removes files of packages that are gone',
  cancellable: false,
  retryAfterSeconds: tries,
  run: async ({ payload, get }) => {
    const remains = await get(RemainsStore).find(get(Database).knex, payload.folder);
    if (remains === null) return { removed: false };
    try {
      await get(PackageContents).remove(remains);
    } catch (error) {
      throw new TransientFailure('The files were not removed.', { cause: error });
    }
    return { removed: true };
  },
});
