import { Database, defineSchedule } from '@lyceum/core';
import { ConnectTokenStore } from './connect-token-store.ts';

const perDelete = 1_000;

export const forgetTokens = defineSchedule({
  id: 'studio_sync.forget-tokens',
  title: 'Deletes connect tokens a day after their end',
  everySeconds: 3_600,
  run: async ({ get, signal }) => {
    const tokens = get(ConnectTokenStore);
    while (!signal.aborted && (await tokens.forget(get(Database).knex, perDelete)) === perDelete);
  },
});
