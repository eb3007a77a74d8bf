import { setTimeout as wait } from 'node:timers/promises';
import { Database, defineMigration, defineModule, defineSchedule, type ScheduleTools } from '@lyceum/core';

const createTable = defineMigration({
  id: '001-turns',
  up: async (trx) => {
    await trx.raw(`create table test_turns (
      id integer generated always as identity primary key,
      schedule text not null,
      began timestamptz not null default clock_timestamp(),
      ended timestamptz,
      aborted boolean not null default false
    )`);
  },
});

/** Writes when the turn began and ended; `work` is what it does between. */
const noted =
  (schedule: string, work: (tools: ScheduleTools) => Promise<void>) =>
  async (tools: ScheduleTools): Promise<void> => {
    const { knex } = tools.get(Database);
    const [row] = (await knex('test_turns').insert({ schedule }).returning('id')) as { id: number }[];
    await work(tools);
    await knex('test_turns')
      .where({ id: row?.id })
      .update({ ended: knex.raw('clock_timestamp()'), aborted: tools.signal.aborted });
  };

const tick = defineSchedule({
  id: 'test_clock.tick',
  title: 'Comes every second and takes a while',
  everySeconds: 1,
  run: noted('tick', () => wait(100)),
});

const hold = defineSchedule({
  id: 'test_clock.hold',
  title: 'Runs until it is told to stop',
  everySeconds: 86_400,
  run: noted(
    'hold',
    ({ signal }) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      }),
  ),
});

export default defineModule({
  id: 'test_clock',
  title: 'Clock',
  defaultEnabled: true,
  migrations: [createTable],
  schedules: [tick, hold],
});
