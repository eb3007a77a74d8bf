import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { writeWxr } from './wxr-file.ts';

/**
 * Imports generated exports of growing size, each by a worker of its own, and prints posts per second and how much
 * the worker grew. The goals: 1,000 posts per second, and memory that does not grow with the file.
 */
registerResolveHooks();
const sizes = (process.env.BENCH_POSTS ?? '2000,20000,60000').split(',').map(Number);
const contentLength = Number(process.env.BENCH_CONTENT ?? 2_500);
const longest = Number(process.env.BENCH_LONGEST ?? 5_000_000);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly phase: string;
  readonly completed_at: string | null;
  readonly result: { readonly created: Readonly<Record<string, number>> } | null;
}

async function startWorker({ database, dataDir }: TestHost): Promise<ChildProcess> {
  const child = fork(path.join(import.meta.dirname, 'import-worker.ts'), {
    env: { ...process.env, DATABASE_URL: database.url, DATA_DIR: dataDir },
  });
  await once(child, 'message');
  return child;
}

interface Cost {
  readonly before: number;
  readonly peak: number;
  /** Of the worker alone: unlike the clock they do not tell how busy the machine is with other things. */
  readonly cpuSeconds: number;
}

async function costOf(worker: ChildProcess): Promise<Cost> {
  worker.send('how much?');
  const [cost] = await once(worker, 'message');
  return cost;
}

async function measure(posts: number, folder: string): Promise<void> {
  const lyceum = await startTestHost({ config: { workers: 'off' } });
  const file = path.join(folder, `${posts}.xml`);
  await writeWxr(file, { posts, contentLength, longest });
  const { headers } = await lyceum.make.admin();
  const route = `${lyceum.origin}/api/svc/host/v1`;
  const form = new FormData();
  form.set('file', await openAsBlob(file), 'export.xml');
  const answer = await fetch(`${route}/import`, { method: 'POST', headers, body: form });
  let job = (await answer.json()) as Job;
  const worker = await startWorker(lyceum);
  try {
    const started = performance.now();
    const phases = new Map<string, number>();
    while (job.completed_at === null) {
      const next = await fetch(`${route}/jobs/${job.job_id}?wait=30`, { headers });
      job = (await next.json()) as Job;
      if (!phases.has(job.phase)) phases.set(job.phase, performance.now() - started);
    }
    const seconds = (performance.now() - started) / 1000;
    const { before, peak, cpuSeconds } = await costOf(worker);
    const { created } = job.result ?? { created: {} };
    const done = (created.post ?? 0) + (created.page ?? 0);
    const times = [...phases].map(([phase, ms]) => `${phase} at ${(ms / 1000).toFixed(1)} s`).join(', ');
    print(
      `${String(done).padStart(6)} posts, ${megabytes((await stat(file)).size)}: ${job.status}, ` +
        `${Math.round(done / seconds)} posts/s, worker ${megabytes(before)} + ${megabytes(peak - before)}, ` +
        `${cpuSeconds.toFixed(1)} s of CPU (${times})`,
    );
  } finally {
    worker.kill();
    await once(worker, 'exit');
    await lyceum.stop();
    await rm(file, { force: true });
  }
}

const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-bench-import-'));
try {
  for (const posts of sizes) await measure(posts, folder);
} finally {
  await rm(folder, { recursive: true, force: true });
  await stopTestPostgres();
}
process.exit(0);
