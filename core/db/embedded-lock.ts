import { rmSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { birthOf } from './embedded-process.ts';

/** One host's hold on a data folder. */
export interface DataFolderLock {
  /** Synchronous, so that an exiting process can still call it; idempotent. */
  release(): void;
}

const prefix = 'postgres.lock.';

/** How long two hosts that start in the same moment make way for each other before both give up. */
const deadlineMs = 400;

/**
 * Takes the data folder for this process, or throws a line that names the process which has it.
 *
 * The lock is an empty file whose name tells process and birth (`postgres.lock.<pid>.<birth>`). Everybody
 * writes his own first and then looks for others, so of two at least one sees the other. A file of a dead
 * process is nobody's and is removed: the name holds for that one process only, so this can never remove
 * the lock of a living one, which taking over a shared lock file can.
 */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  const own = `${prefix}${process.pid}.${await birthOf(process.pid)}`;
  const file = path.join(dataDir, own);
  const release = (): void => rmSync(file, { force: true });
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    if (!(await createFile(file))) throw inUse(dataDir, process.pid);
    const holder = await otherHolder(dataDir, own);
    if (holder === null) return { release };
    release();
    if (Date.now() > deadline) throw inUse(dataDir, holder);
    await wait(5 + Math.random() * 40);
  }
}

async function createFile(file: string): Promise<boolean> {
  try {
    await writeFile(file, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function otherHolder(dataDir: string, own: string): Promise<number | null> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(prefix) || name === own) continue;
    const [pid, birth] = name.slice(prefix.length).split('.');
    if ((await birthOf(Number(pid))) === birth) return Number(pid);
    await rm(path.join(dataDir, name), { force: true });
  }
  return null;
}

function inUse(dataDir: string, pid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The data folder ${dataDir} is in use by process ${pid}: stop that one first; ` +
      'several processes of one installation need a PostgreSQL of their own, given to each as DATABASE_URL.',
  );
}
