import { Clock, Database, defineSchedule } from '@lyceum/core';
import { PackageContents, supersededMs } from './package-contents.ts';
import { RemainsStore } from './remains-store.ts';

const perLook = 100;

/** Removes what killed uploads left, and what the job of it gave up. */
export const sweepRemains = defineSchedule({
  id: 'embed_packages.sweep',
  title: 'Removes files that no package has',
  everySeconds: 86_400,
  run: async ({ get, signal, log }) => {
    const [{ knex }, store] = [get(Database), get(RemainsStore)];
    const now = get(Clock).now();
    const later = new Date(now.getTime() + supersededMs);
    for (let rows = perLook; rows === perLook && !signal.aborted; ) {
      const found = await store.unnoted(knex, perLook);
      for (const remains of found) await store.note(knex, remains, later);
      rows = found.length;
    }
    // Those that fail now are passed over: the next day is another one.
    const failed = new Set<string>();
    for (;;) {
      const due = (await store.dueAt(knex, now, perLook + failed.size)).filter(
        ({ folder }) => !failed.has(folder),
      );
      if (due.length === 0 || signal.aborted) return;
      for (const remains of due) {
        await get(PackageContents)
          .remove(remains)
          .catch((error: unknown) => {
            failed.add(remains.folder);
            log.warn({ err: error, folder: remains.folder }, 'files of a package were not removed');
          });
      }
    }
  },
});
