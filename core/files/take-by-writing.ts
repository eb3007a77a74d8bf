import { createReadStream } from 'node:fs';
import type { FinishedFile, Storage, WriteOptions } from './storage.ts';
import { NotAsSaid } from './storage-errors.ts';

/** Takes a file by streaming its bytes, which are counted and hashed on the way. */
export async function takeByWriting(
  storage: Pick<Storage, 'write' | 'remove'>,
  key: string,
  file: FinishedFile,
  options: Omit<WriteOptions, 'limit'>,
): Promise<void> {
  const source = createReadStream(file.path);
  try {
    const stored = await storage.write(key, source, { ...options, limit: file.bytes });
    if (stored.sha256 === file.sha256) return;
  } finally {
    // A storage that fails before its first byte leaves it open.
    source.destroy();
  }
  await storage.remove(key);
  throw new NotAsSaid(key);
}
