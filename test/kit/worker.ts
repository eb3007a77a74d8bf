import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestHost } from './test-host.ts';

/**
 * Starts a process of its own that only works, beside a host; it takes jobs when the promise resolves.
 * @param modules to load beside `host` and `modules`
 */
export async function startWorker(lyceum: TestHost, modules: readonly string[]): Promise<ChildProcess> {
  return (await startProcess(lyceum, modules, {})).child;
}

/**
 * The same for a process that only serves.
 * @returns with the origin that it listens at
 */
export async function startServer(
  lyceum: TestHost,
  modules: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const { child, port } = await startProcess(lyceum, modules, { WORKER_SERVES: 'yes' });
  return { child, origin: `http://127.0.0.1:${port}` };
}

async function startProcess(
  { database, dataDir }: TestHost,
  modules: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = fork(path.join(import.meta.dirname, 'worker-process.ts'), {
    env: {
      ...process.env,
      ...environment,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      WORKER_MODULES: ['host', 'modules', ...modules].join(','),
    },
  });
  const [message] = await Promise.race([
    once(child, 'message') as Promise<[{ port: number }]>,
    once(child, 'exit').then(() => Promise.reject(new Error('The process ended before it was ready.'))),
  ]);
  return { child, port: message.port };
}

/** Ends such a process at once, as a lost machine would; resolves when it is gone. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}
