import { Database, defineSchedule, Storage } from '@lyceum/core';
import { folderKey } from '../static/static-record.ts';
import { StaticStore } from '../static/static-store.ts';

/** Nobody can reach what is swept: this is about space alone. */
export const sweepFolders = defineSchedule({
  id: 'turbo.sweep-folders',
  title: 'Delete folders of static pages that are over',
  everySeconds: 60,
  run: async ({ get, signal, now }) => {
    const store = get(StaticStore);
    for (let left = true; left && !signal.aborted; ) {
      left = await get(Database).transaction(async (trx) => {
        const due = await store.nextDue(trx, now());
        if (!due) return false;
        await get(Storage).removeFolder(folderKey(due.blog_id, due.folder));
        await store.forget(trx, due.id);
        return true;
      });
    }
  },
});
