import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cloneDatabase, stopTestPostgres } from '../kit/postgres.ts';
import { memoryOf } from './measure.ts';

/** Memory of the host's process with every module, started as an operator starts it and left alone. Linux only. */
const restSeconds = Number(process.env.BENCH_REST ?? 30);
const program = path.join(import.meta.dirname, '../../core/boot/main.ts');

/** The first start compiles what the second reads, so both are told. */
async function residentAtRest(databaseUrl: string, dataDir: string): Promise<number> {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    NODE_COMPILE_CACHE: path.join(dataDir, 'compiled'),
    PORT: '0',
    SECRET_KEY: 'a secret key for the benchmark, long enough',
    LOG_LEVEL: 'info',
  };
  const child = fork(program, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('"ready"')) resolve();
    });
  });
  await pause(restSeconds * 1000);
  const resident = await memoryOf(child.pid ?? 0, 'VmRSS');
  child.kill();
  await ended;
  return resident / 1024 / 1024;
}

const database = await cloneDatabase('started');
const dataDir = await mkdtemp(path.join(tmpdir(), 'lyceum-bench-'));
try {
  for (const start of ['first', 'second', 'third']) {
    const megabytes = await residentAtRest(database.url, dataDir);
    const figures = `${megabytes.toFixed(0)} MiB after ${restSeconds} s`;
    process.stdout.write(`${`At rest, ${start} start`.padEnd(34)} ${figures} (goal: ≤ 150 MiB)\n`);
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
  await stopTestPostgres();
}
process.exit(0);
