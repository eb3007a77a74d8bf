import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SiteRef } from '../../core/api/module.ts';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { Jobs } from '../../core/jobs/jobs.ts';
import { endProcess, type OtherProcess, startProcess } from '../chaos/processes.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { best, loadAverage, median, percentile } from './measure.ts';

/**
 * Jobs: how soon they start, and how many small ones a worker does in a second, each with its record, progress and
 * events. One process enqueues, another one works.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const jobsPerRound = Number(process.env.BENCH_JOBS ?? 4_000);
const singles = Number(process.env.BENCH_SINGLES ?? 300);
/** Transactions that enqueue at a time. */
const hands = 8;
const folder = path.join(import.meta.dirname, 'packages');

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const now = (): number => performance.timeOrigin + performance.now();

const startWorker = (lyceum: TestHost): Promise<OtherProcess> =>
  startProcess(lyceum, { modules: ['pace'], workers: 'only', folder });

async function enqueue({ host }: TestHost, type: string, site: SiteRef): Promise<void> {
  const payload = { asked: now() };
  await host.db.transaction((trx) =>
    host.services.host(Jobs).enqueue(trx, { type, payload, site, userId: 1, startAfterSeconds: 0 }),
  );
}

async function enqueueMany(lyceum: TestHost, sites: readonly SiteRef[], count: number): Promise<void> {
  let left = count;
  const hand = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await enqueue(lyceum, 'pace.quick', sites[left % sites.length] as SiteRef);
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
}

/** Waits until no job is open. */
async function allDone({ host }: TestHost): Promise<void> {
  while (await host.db.knex('jobs').whereNull('completed_at').first('job_id')) await wait(20);
}

/** Milliseconds from the wish to the first line of the handler, of jobs that find the worker idle. */
async function delays(lyceum: TestHost, type: string, sites: readonly SiteRef[]): Promise<number[]> {
  const { knex } = lyceum.host.db;
  await knex('pace').delete();
  for (let n = 0; n < singles; n += 1) {
    await enqueue(lyceum, type, sites[n % sites.length] as SiteRef);
    await wait(15 + Math.random() * 20);
  }
  await allDone(lyceum);
  const rows = (await knex('pace').select('asked', 'began')) as { asked: number; began: number }[];
  return rows.map(({ asked, began }) => began - asked);
}

async function measureDelays(lyceum: TestHost, type: string, sites: readonly SiteRef[]): Promise<void> {
  const p50: number[] = [];
  const p99: number[] = [];
  await delays(lyceum, type, sites);
  for (let round = 0; round < rounds; round += 1) {
    const times = await delays(lyceum, type, sites);
    p50.push(percentile(times, 50));
    p99.push(percentile(times, 99));
  }
  const of = (values: readonly number[]): string =>
    `best ${best(values, 'low').toFixed(1)}, median ${median(values).toFixed(1)} ms`;
  print(
    `${`enqueue to start, ${type}`.padEnd(34)} p50 ${of(p50)} (goal 6); p99 ${of(p99)} (goal 30); ${loadAverage()}`,
  );
}

/** Seconds of processor that this process, the worker and its database have used so far. */
async function processorSeconds({ host }: TestHost, worker: OtherProcess): Promise<number> {
  const pids = (await host.db.knex('pg_stat_activity').whereNotNull('backend_type').pluck('pid')) as number[];
  let ticks = 0;
  for (const pid of [process.pid, worker.child.pid ?? 0, ...pids]) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks / 100;
}

async function measureRate(lyceum: TestHost, sites: readonly SiteRef[], live: boolean): Promise<void> {
  const rates: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    let worker: OtherProcess | null = null;
    if (live) worker = await startWorker(lyceum);
    else await enqueueMany(lyceum, sites, jobsPerRound);
    const { knex } = lyceum.host.db;
    await knex.raw('vacuum analyze jobs, job_events, pgboss.job_common');
    const began = now();
    if (!worker) worker = await startWorker(lyceum);
    const used = await processorSeconds(lyceum, worker);
    if (live) await enqueueMany(lyceum, sites, jobsPerRound);
    await allDone(lyceum);
    costs.push(((await processorSeconds(lyceum, worker)) - used) * (1_000 / jobsPerRound));
    const first = live ? began : Number((await knex('pace').min('began as began').first())?.began);
    rates.push(jobsPerRound / ((now() - first) / 1000));
    await knex('pace').delete();
    if (worker) await endProcess(worker, 'SIGTERM');
  }
  const what = live ? 'small jobs, enqueued meanwhile' : 'small jobs, a queue of them';
  print(
    `${what.padEnd(34)} best ${best(rates, 'high').toFixed(0)}/s, median ${median(rates).toFixed(0)}/s (goal 800), ${median(costs).toFixed(2)} ms of processor each; ${loadAverage()}`,
  );
}

export async function measureJobs(): Promise<void> {
  const lyceum = await startTestHost({ modules: ['pace'], folders: [folder], config: { workers: 'off' } });
  try {
    const made = await Promise.all(Array.from({ length: 8 }, () => lyceum.make.site()));
    const sites = made.map(({ blog_id }) => ({ blog_id, network_id: 1 }));
    const worker = await startWorker(lyceum);
    await measureDelays(lyceum, 'pace.quick', sites);
    await measureDelays(lyceum, 'pace.long', sites);
    await endProcess(worker, 'SIGTERM');
    await measureRate(lyceum, sites, false);
    await measureRate(lyceum, sites, true);
  } finally {
    await lyceum.stop();
  }
}

if (import.meta.main) {
  registerResolveHooks();
  await measureJobs();
  await stopTestPostgres();
  process.exit(0);
}
