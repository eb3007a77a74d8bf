import { Database, defineSchedule, type Schedule } from '@lyceum/core';
import { PageCacheStore } from './page-cache-store.ts';

const day = 24 * 60 * 60;

/** Rendered pages that no run asked for in so long are rendered again, should one ask. */
const keptDays = 60;

export const schedules: readonly Schedule[] = [
  defineSchedule({
    id: 'static_builder.forget-pages',
    title: 'Forget rendered pages that no build has asked for',
    everySeconds: day,
    run: async ({ get, signal }) => {
      const { knex } = get(Database);
      const cache = new PageCacheStore();
      for (let left = true; left && !signal.aborted; ) left = await cache.forgetOld(knex, keptDays);
    },
  }),
];
