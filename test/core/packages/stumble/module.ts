import { Database, defineModule, defineSchedule } from '@lyceum/core';

/** Writes into the table of the clock, which the test loads beside it. */
export default defineModule({
  id: 'test_stumble',
  title: 'Stumbles each second',
  defaultEnabled: true,
  schedules: [
    defineSchedule({
      id: 'test_stumble.stumble',
      title: 'Fails each time',
      everySeconds: 1,
      run: async ({ get }) => {
        await get(Database).knex('test_turns').insert({ schedule: 'stumble' });
        throw new Error('as the test wants it');
      },
    }),
  ],
});
