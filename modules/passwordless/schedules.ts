import { Database, defineSchedule } from '@lyceum/core';
import { forgetChallenges, forgetCounts, forgetLocks, perDelete } from './expired-store.ts';

export const forgetExpired = defineSchedule({
  id: 'passwordless.forget-expired',
  title: 'Deletes challenges a day after their end, and counts that are over',
  everySeconds: 3_600,
  run: async ({ get, signal }) => {
    for (const forget of [forgetChallenges, forgetLocks, forgetCounts]) {
      while (!signal.aborted && (await forget(get(Database).knex)) === perDelete);
    }
  },
});
