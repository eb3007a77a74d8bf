import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { Jobs } from '../../core/jobs/jobs.ts';
import { endProcess, startProcess } from '../chaos/processes.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { best, loadAverage, median, percentile } from './measure.ts';

/**
 * An ordinary GET while many clients wait for a job: how much later its answer comes, and how many connections to the
 * database those who wait hold. The job tells something every second, which wakes them all.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const waiting = Number(process.env.BENCH_WAITING ?? 500);
const gets = Number(process.env.BENCH_GETS ?? 300);
const folder = path.join(import.meta.dirname, 'packages');

const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

function get({ url, headers }: Asked, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('error', reject);
    asked.end();
  });
}

/** Milliseconds of one GET after the other. */
async function times(asked: Asked): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const all: number[] = [];
  for (let n = 0; n < gets; n += 1) {
    const started = performance.now();
    const status = await get(asked, agent);
    if (status !== 200) throw new Error(`An ordinary GET was answered ${status}.`);
    all.push(performance.now() - started);
    await wait(5);
  }
  agent.destroy();
  return all;
}

/** Connections to the database of the bench, and how many of them do something. */
async function connections({ host }: TestHost): Promise<{ all: number; busy: number }> {
  const { rows } = (await host.db.knex.raw(
    `select count(*)::int as all, count(*) filter (where state <> 'idle')::int as busy from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )) as { rows: { all: number; busy: number }[] };
  return rows[0] ?? { all: 0, busy: 0 };
}

async function startJob({ host }: TestHost, type: string): Promise<string> {
  const job = { type, payload: {}, site: { blog_id: 1, network_id: 1 }, userId: 1, startAfterSeconds: 0 };
  const row = await host.db.transaction((trx) => host.services.host(Jobs).enqueue(trx, job));
  return row.job_id;
}

async function measure(lyceum: TestHost, origin: string, type: string, what: string): Promise<void> {
  const { headers } = await lyceum.make.admin();
  const ordinary = { url: `${origin}/api/svc/host/v1/posts`, headers };
  const jobId = await startJob(lyceum, type);
  const poll = { url: `${origin}/api/bench/pace/v1/jobs/${jobId}?wait=30`, headers };
  await times(ordinary);
  const alone: number[] = [];
  const beside: number[] = [];
  const seen: { all: number; busy: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(percentile(await times(ordinary), 99));
    let going = true;
    const agent = new Agent({ keepAlive: true, maxSockets: waiting });
    const clients = Array.from({ length: waiting }, async () => {
      while (going) await get(poll, agent);
    });
    await wait(2_000);
    beside.push(percentile(await times(ordinary), 99));
    seen.push(await connections(lyceum));
    going = false;
    // Whoever waits is woken by this change.
    await lyceum.host.db.knex.raw(`update jobs set message = 'Round ${round}.' where job_id = ?`, [jobId]);
    await lyceum.host.db.knex.raw(`select pg_notify('lyceum', ?)`, [
      JSON.stringify({ kind: 'job', id: jobId }),
    ]);
    await Promise.all(clients);
    agent.destroy();
  }
  const of = (values: readonly number[]): string =>
    `best ${best(values, 'low').toFixed(1)}, median ${median(values).toFixed(1)} ms`;
  print(
    `${`p99 of a GET, ${what}`.padEnd(50)} alone ${of(alone)}; beside ${waiting} who wait ${of(beside)}; ${loadAverage()}`,
  );
  const most = Math.max(...seen.map(({ all }) => all));
  const busy = median(seen.map((one) => one.busy));
  print(`${'connections to the database meanwhile'.padEnd(50)} at most ${most}, busy (median) ${busy}`);
  await lyceum.host.services.host(Jobs).cancel(jobId);
}

export async function measurePolls(): Promise<void> {
  const lyceum = await startTestHost({ modules: ['pace'], folders: [folder], config: { workers: 'off' } });
  const server = await startProcess(lyceum, { modules: ['pace'], workers: 'off', folder });
  try {
    await measure(lyceum, server.origin, 'pace.ticking', 'a job that does not change');
    const worker = await startProcess(lyceum, { modules: ['pace'], workers: 'only', folder });
    await measure(lyceum, server.origin, 'pace.ticking', 'a job that changes every second');
    await endProcess(worker, 'SIGTERM');
  } finally {
    await endProcess(server, 'SIGTERM');
    await lyceum.stop();
  }
}

if (import.meta.main) {
  registerResolveHooks();
  await measurePolls();
  await stopTestPostgres();
  process.exit(0);
}
