import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Workers } from '../../config/load.ts';
import type { TestHost } from '../kit/index.ts';

/** Another process of an installation. */
export interface OtherProcess {
  readonly child: ChildProcess;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
}

export interface ProcessWish {
  /** To load beside `host` and `modules`. */
  readonly modules: readonly string[];
  readonly workers: Workers;
  /** Folder of packages that only tests load; absent: that of the core's tests. */
  readonly folder?: string;
}

/** Starts a process of its own beside a host; it serves or works when the promise resolves. */
export async function startProcess(
  { database, dataDir }: Pick<TestHost, 'database' | 'dataDir'>,
  { modules, workers, folder }: ProcessWish,
): Promise<OtherProcess> {
  const child = fork(path.join(import.meta.dirname, 'worker-process.ts'), {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      WORKER_MODULES: modules.join(','),
      WORKERS: workers,
      ...(folder === undefined ? {} : { WORKER_FOLDER: folder }),
    },
  });
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The process ended before it began.'))),
  ])) as [{ port: number }];
  return { child, origin: `http://127.0.0.1:${message.port}` };
}

/** How a process ended, and after how many milliseconds. */
export interface End {
  readonly code: number | null;
  readonly ms: number;
}

/** Sends a signal and waits for the end. */
export async function endProcess({ child }: OtherProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<End> {
  if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, ms: 0 };
  const began = performance.now();
  child.kill(signal);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, ms: Math.round(performance.now() - began) };
}
