import { Database, defineSchedule } from '@lyceum/core';
import { FileStore } from './stores/file-store.ts';
import { StrayFiles } from './stray-files.ts';

/** A sync lasts minutes: what was noted so long ago is not on its way to a row any more. */
const strayHours = 6;
/** Readers may still have pages with the address of a content that had to give way. */
const oldHours = 18;

const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

export const sweepFiles = defineSchedule({
  id: 'local_sync.sweep-files',
  title: 'Removes files of local projects that nothing names any more',
  everySeconds: 3_600,
  run: async ({ get, now, signal }) => {
    await get(FileStore).releaseOld(get(Database).knex, hoursBefore(now(), oldHours));
    await get(StrayFiles).sweep(hoursBefore(now(), strayHours), signal);
  },
});
