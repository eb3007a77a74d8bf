import { Database, defineSchedule } from '@lyceum/core';
import { LinkStore } from './link-store.ts';

const perDelete = 1_000;

export const forgetLinks = defineSchedule({
  id: 'magic_links.forget',
  title: 'Deletes links 90 days after their end',
  everySeconds: 3_600,
  run: async ({ get, signal }) => {
    while (!signal.aborted && (await get(LinkStore).forget(get(Database).knex, perDelete)) === perDelete);
  },
});
