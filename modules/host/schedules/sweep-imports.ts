import { Database, defineSchedule, Storage } from '@lyceum/core';
import { importKey } from '../import/import-payload.ts';
import { endedImports } from './ended-imports-store.ts';

const day = 24 * 60 * 60 * 1000;

export const sweepImports = defineSchedule({
  id: 'host.sweep-imports',
  title: 'Removes files of imports that ended while no worker had them',
  everySeconds: 3_600,
  run: async ({ get, now, signal }) => {
    // Twice what a turn may be late; what is removed already costs a look at the storage.
    const after = new Date(now().getTime() - 2 * day);
    for (const ended of await endedImports(get(Database).knex, after)) {
      if (signal.aborted) return;
      await get(Storage).remove(importKey(ended.blog_id, ended));
    }
  },
});
