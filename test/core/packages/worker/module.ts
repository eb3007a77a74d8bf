import { setTimeout as wait } from 'node:timers/promises';
import {
  accepted,
  callerOf,
  Database,
  defineJob,
  defineMigration,
  defineModule,
  defineOperation,
  fail,
  JobRecord,
  Jobs,
  jobOperations,
  presentJob,
  TransientFailure,
  yup,
} from '@lyceum/core';

interface Counting {
  readonly steps: number;
  readonly pauseMs: number;
  readonly key: string;
  readonly failAt?: number;
  readonly stumble?: 'told' | 'deadlock';
  /** Does not hear that it is to end. */
  readonly deaf?: boolean;
}

const createTables = defineMigration({
  id: '001-effects',
  up: async (trx) => {
    await trx.raw(
      `create table test_effects (id integer generated always as identity, blog_id integer, key text,
        at timestamptz(3) not null default clock_timestamp())`,
    );
  },
});

const work = async (job: Parameters<Parameters<typeof defineJob<Counting>>[0]['run']>[0]) => {
  const { steps, pauseMs, key, failAt, stumble, deaf } = job.payload;
  let done = job.cursor<number>() ?? 0;
  if (stumble && done === 0) {
    await job.step(async () => ({ cursor: 0.5 }));
    if (stumble === 'told') throw new TransientFailure('Not this time.');
    await job.step(async (trx) => {
      await trx.raw(`do $$ begin raise exception 'in the way' using errcode = 'deadlock_detected'; end $$`);
      return {};
    });
  }
  done = Math.floor(done);
  while (done < steps) {
    if (pauseMs > 0) await wait(pauseMs, undefined, deaf ? {} : { signal: job.signal });
    if (done === failAt) fail('test_worker_failed');
    const next = done + 1;
    await job.step(async (trx) => {
      await trx('test_effects').insert({ blog_id: job.site.blog_id, key: `${key}-${next}` });
      return { phase: 'count', current: next, total: steps, cursor: next, message: `Step ${next}.` };
    });
    done = next;
  }
  return { done };
};

const count = defineJob<Counting>({ id: 'test_worker.count', title: 'Counts', run: work });
const quick = defineJob<Counting>({
  id: 'test_worker.quick',
  title: 'Counts quickly',
  lane: 'quick',
  run: work,
});

const start = defineOperation({
  id: 'test_worker.start',
  method: 'POST',
  path: 'test/worker/v1/start',
  summary: 'Starts a job',
  access: { signedIn: true },
  input: {
    body: yup.object({
      type: yup.string().required(),
      steps: yup.number().required(),
      pauseMs: yup.number().required(),
      key: yup.string().required(),
      failAt: yup.number(),
      stumble: yup.string().oneOf(['told', 'deadlock'] as const),
      deaf: yup.boolean(),
    }),
  },
  output: JobRecord,
  errors: ['test_worker_failed'],
  handle: async ({ body }, call) => {
    const { type, ...payload } = body;
    const row = await call
      .get(Database)
      .transaction((trx) =>
        call
          .get(Jobs)
          .enqueue(trx, { type, payload, site: call.site, userId: callerOf(call).id, startAfterSeconds: 0 }),
      );
    return accepted(presentJob(row));
  },
});

export default defineModule({
  id: 'test_worker',
  title: 'Worker',
  namespaces: ['test/worker/v1'],
  defaultEnabled: true,
  errors: { test_worker_failed: { status: 500, message: 'The test wanted it.' } },
  migrations: [createTables],
  jobs: [count, quick],
  operations: [
    start,
    ...jobOperations({
      module: 'test_worker',
      namespace: 'test/worker/v1',
      types: ['test_worker.'],
      access: { signedIn: true },
      contract: false,
      listsAll: true,
    }),
  ],
});
