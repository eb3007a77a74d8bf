import { Database, defineSchedule } from '@lyceum/core';
import { SubmissionStore } from '../submission/submission-store.ts';

const keptMs = 30 * 24 * 60 * 60 * 1000;
const perDelete = 1_000;

export const forgetSubmissions = defineSchedule({
  id: 'turbo.forget-submissions',
  title: 'Forget ids of submissions after 30 days',
  everySeconds: 3_600,
  run: async ({ get, signal, now }) => {
    const store = get(SubmissionStore);
    const before = new Date(now().getTime() - keptMs);
    while (!signal.aborted && (await store.forget(get(Database).knex, before, perDelete)) === perDelete);
  },
});
