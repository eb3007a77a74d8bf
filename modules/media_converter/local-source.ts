import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '@lyceum/core';

/**
 * Path of a stored file on this machine: its own where the storage is a folder here, else that of a copy in `folder`.
 * Null when there is no such file.
 */
export async function localSource(
  storage: Storage,
  key: string,
  folder: string,
  signal: AbortSignal,
): Promise<string | null> {
  const local = await storage.localPath(key);
  if (local !== null) return local;
  const open = await storage.read(key);
  if (open === null) return null;
  const file = path.join(folder, 'source');
  await pipeline(open.stream, createWriteStream(file), { signal });
  return file;
}
