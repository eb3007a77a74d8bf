import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost } from '../kit/index.ts';
import { type End, endProcess, type OtherProcess, startProcess } from './processes.ts';

export interface StopPlan {
  readonly jobs: number;
  /** Jobs among them whose handler does not hear that it is to end. */
  readonly deaf: number;
  readonly stops: number;
  readonly stepsPerJob: number;
  readonly stepMs: number;
}

export interface StopFigures {
  readonly stops: number;
  readonly completed: number;
  /** Runs that a stopped process left without handing them back. */
  readonly losses: number;
  readonly twice: number;
  readonly missing: number;
  /** Rows seen on the way whose status, result, error and time of end do not agree. */
  readonly disagreeing: number;
  readonly looks: number;
  readonly longestStopMs: number;
  /** Exit codes that are not 0. */
  readonly badExits: number;
}

interface SeenRow {
  readonly status: string;
  readonly result: unknown;
  readonly error: unknown;
  readonly run_token: string | null;
  readonly ticket: string | null;
  readonly completed_at: string | null;
}

function agrees({ status, result, error, run_token, ticket, completed_at }: SeenRow): boolean {
  const over = status !== 'pending' && status !== 'running';
  return (
    over === (completed_at !== null) &&
    (result !== null) === (status === 'completed') &&
    (error !== null) === (status === 'failed') &&
    (run_token !== null) === (status === 'running') &&
    (ticket === null) === over
  );
}

/** Stops workers with SIGTERM while jobs run, always leaving one, and counts what came of the jobs. */
export async function stopWorkers(plan: StopPlan): Promise<StopFigures> {
  const modules = ['test_worker'];
  const lyceum = await startTestHost({
    modules,
    folders: [new URL('../core/packages', import.meta.url).pathname],
    config: { workers: 'off' },
  });
  const workers: OtherProcess[] = [];
  try {
    const { knex } = lyceum.host.db;
    const start = () => startProcess(lyceum, { modules, workers: 'only' });
    workers.push(await start(), await start());
    const sites = await Promise.all(Array.from({ length: 8 }, () => lyceum.make.site()));
    const admin = await lyceum.make.admin();
    for (let n = 0; n < plan.jobs; n += 1) {
      const deaf = n < plan.deaf;
      const pace = deaf ? { steps: 1, pauseMs: 8_000 } : { steps: plan.stepsPerJob, pauseMs: plan.stepMs };
      await lyceum
        .as(admin, sites[n % sites.length])
        .post('test/worker/v1/start', { type: 'test_worker.count', ...pace, key: `job${n}`, deaf })
        .expect(202);
    }
    let looks = 0;
    let disagreeing = 0;
    let looking = true;
    const watching = (async () => {
      while (looking) {
        const rows = (await knex('jobs').select('*')) as SeenRow[];
        looks += rows.length;
        disagreeing += rows.filter((row) => !agrees(row)).length;
        await wait(5);
      }
    })();
    const running = () => knex('jobs').where({ status: 'running' }).first('job_id');
    const ends: End[] = [];
    while (ends.length < plan.stops) {
      while (!(await running())) await wait(2);
      await wait(Math.random() * plan.stepMs * 4);
      const [stopped] = workers.splice(0, 1);
      const next = start();
      if (stopped) ends.push(await endProcess(stopped, 'SIGTERM'));
      workers.push(await next);
    }
    const deadline = performance.now() + 120_000;
    const open = () => knex('jobs').whereNull('completed_at').first('job_id');
    while ((await open()) && performance.now() < deadline) await wait(20);
    looking = false;
    await watching;
    const rows = (await knex('jobs').select('status', 'losses', 'payload')) as {
      status: string;
      losses: number;
      payload: { steps: number };
    }[];
    const keys = (await knex('test_effects').pluck('key')) as string[];
    const distinct = new Set(keys).size;
    return {
      stops: ends.length,
      completed: rows.filter(({ status }) => status === 'completed').length,
      losses: rows.reduce((sum, { losses }) => sum + losses, 0),
      twice: keys.length - distinct,
      missing: rows.reduce((sum, { payload }) => sum + payload.steps, 0) - distinct,
      disagreeing,
      looks,
      longestStopMs: Math.max(0, ...ends.map(({ ms }) => ms)),
      badExits: ends.filter(({ code }) => code !== 0).length,
    };
  } finally {
    for (const worker of workers) await endProcess(worker, 'SIGTERM');
    await lyceum.stop();
  }
}
