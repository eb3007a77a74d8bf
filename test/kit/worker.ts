import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestHost } from './test-host.ts';

/**
 * Starts a process of its own that only works, beside a host; it takes jobs when the promise resolves.
 * @param modules to load beside `host` and `modules`
 */
export async function startWorker(
  { database, dataDir }: TestHost,
  modules: readonly string[],
): Promise<ChildProcess> {
  const child = fork(path.join(import.meta.dirname, 'worker-process.ts'), {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      WORKER_MODULES: ['host', 'modules', ...modules].join(','),
    },
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The worker ended before it worked.'))),
  ]);
  return child;
}

/** Ends a worker at once, as a lost machine would; resolves when it is gone. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}
