import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Workers } from '../../config/load.ts';
import type { TestHost } from './test-host.ts';

/** A host in a process of its own. */
export interface HostProcess {
  readonly child: ChildProcess;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** All that it has logged so far. */
  log(): string;
}

async function startProcess(
  { database, dataDir }: TestHost,
  modules: readonly string[],
  workers: Workers,
  environment: NodeJS.ProcessEnv,
): Promise<HostProcess> {
  const child = fork(path.join(import.meta.dirname, 'host-process.ts'), {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      HOST_MODULES: ['host', 'modules', ...modules].join(','),
      HOST_WORKERS: workers,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The process ended before it was ready.'))),
  ])) as [{ port: number }];
  return { child, origin: `http://127.0.0.1:${message.port}`, log: () => said };
}

/**
 * Starts a process of its own that only works, beside a host; it takes jobs when the promise resolves.
 * @param modules to load beside `host` and `modules`
 */
export async function startWorker(
  lyceum: TestHost,
  modules: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<ChildProcess> {
  return (await startProcess(lyceum, modules, 'only', environment)).child;
}

/** Starts a process of its own that only serves, beside a host; it believes what loopback says it forwards. */
export const startServer = (
  lyceum: TestHost,
  modules: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<HostProcess> => startProcess(lyceum, modules, 'off', environment);

/** Ends a worker at once, as a lost machine would; resolves when it is gone. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}
