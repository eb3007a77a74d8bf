import { setTimeout as wait } from 'node:timers/promises';
import { defineJob, defineMigration, defineModule, type JobRun, jobOperations } from '@lyceum/core';

interface Small {
  /** Milliseconds since 1970, with a fraction: when somebody began to enqueue it. */
  readonly asked: number;
}

const createTables = defineMigration({
  id: '001-pace',
  up: async (trx) => {
    await trx.raw('create table pace (asked double precision not null, began double precision not null)');
  },
});

/** What a small job is: one step that writes a row and tells its progress. */
const small = async (job: JobRun<Small>) => {
  const { asked } = job.payload;
  const began = performance.timeOrigin + performance.now();
  await job.step(async (trx) => {
    await trx('pace').insert({ asked, began });
    return { phase: 'work', current: 1, total: 1, message: 'Half done.' };
  });
  return { done: 1 };
};

const quick = defineJob<Small>({ id: 'pace.quick', title: 'A small job', lane: 'quick', run: small });
const long = defineJob<Small>({ id: 'pace.long', title: 'A small job among long ones', run: small });

/** Tells something every second until it is cancelled. */
const ticking = defineJob<Small>({
  id: 'pace.ticking',
  title: 'Ticks',
  run: async (job) => {
    for (let current = 1; ; current += 1) {
      await wait(1_000, undefined, { signal: job.signal });
      await job.step(async () => ({ phase: 'tick', current, total: 1_000_000, message: `Tick ${current}.` }));
    }
  },
});

export default defineModule({
  id: 'pace',
  title: 'Pace',
  namespaces: ['bench/pace/v1'],
  defaultEnabled: true,
  migrations: [createTables],
  jobs: [quick, long, ticking],
  operations: [
    ...jobOperations({
      module: 'pace',
      namespace: 'bench/pace/v1',
      types: ['pace.'],
      access: { signedIn: true },
      contract: false,
      listsAll: false,
    }),
  ],
});
