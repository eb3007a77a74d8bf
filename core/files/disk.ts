import { constants } from 'node:fs';
import { mkdir, open, rename, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { StorageFull } from './storage-errors.ts';

/** No space, no quota, or more than the file system or the process may put into one file. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The key names a folder, or goes through a file as if it were one: there is no such file. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** Answers of network file systems that know no sync of a folder. */
const UNSYNCABLE = new Set(['EINVAL', 'ENOTSUP']);

/** The code of a system error, such as `ENOENT`, or null. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** What to throw in place of `error`: `StorageFull` for a full disk, else the error itself. */
export function asStorageError(error: unknown): unknown {
  const code = errorCode(error);
  return code !== null && FULL.has(code) ? new StorageFull(error) : error;
}

/** Awaits a look at a path; null where no such file is. */
export async function nullIfAbsent<T>(looking: Promise<T>): Promise<T | null> {
  try {
    return await looking;
  } catch (error) {
    const code = errorCode(error);
    if (code !== null && ABSENT.has(code)) return null;
    throw error;
  }
}

/**
 * Gives the finished temporary file its final name, replacing what was there, and returns when the name
 * survives a loss of power. The caller has synced the content.
 */
export async function publish(temporary: string, target: string): Promise<void> {
  const folder = path.dirname(target);
  // A removal elsewhere may prune the folder between mkdir and rename; each round is one such coincidence.
  for (let round = 1; ; round += 1) {
    try {
      const firstMade = await mkdir(folder, { recursive: true });
      await rename(temporary, target);
      return await syncFolders(folder, firstMade === undefined ? folder : path.dirname(firstMade));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || round === 10) throw error;
    }
  }
}

/** Syncs `folder` and its parents up to `top`, so that new names in them are on the disk. */
async function syncFolders(folder: string, top: string): Promise<void> {
  for (let current = folder; current.length >= top.length; current = path.dirname(current)) {
    await syncFolder(current);
    if (current === top) return;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await nullIfAbsent(open(folder, constants.O_RDONLY));
  if (handle === null) return;
  try {
    await handle.sync();
  } catch (error) {
    const code = errorCode(error);
    if (code === null || !UNSYNCABLE.has(code)) throw error;
  } finally {
    await handle.close();
  }
}

/** Removes `folder` and its parents below `root` while they are empty. Best effort: it never throws. */
export async function pruneEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current.length > root.length; current = path.dirname(current)) {
    try {
      await rmdir(current);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') return;
    }
  }
}

/** True when `target` is a folder. */
export async function isFolder(target: string): Promise<boolean> {
  const found = await nullIfAbsent(stat(target));
  return found?.isDirectory() ?? false;
}
