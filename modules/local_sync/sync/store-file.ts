import { Readable } from 'node:stream';
import { type Call, CodedError, Database, fail, Storage } from '@lyceum/core';
import { newFileKey, servedPlace } from '../file-place.ts';
import type { FileEntry } from '../manifest/entries.ts';
import type { PlannedFile } from '../plan/plan-file.ts';
import { FileStore, type ProjectFile } from '../stores/file-store.ts';
import { StrayStore } from '../stores/stray-store.ts';
import { inTurn, type Turn } from './turn.ts';

/** Stores a content and gives it to its path. A file without its row is swept up. @throws `storage_unavailable` */
export async function storeFile(
  call: Call,
  turn: Turn,
  { path, sha256 }: FileEntry,
  { bytes, mime }: NonNullable<PlannedFile['content']>,
): Promise<ProjectFile> {
  const { blog_id } = call.site;
  const { project, project_id } = turn.project;
  const strays = call.get(StrayStore);
  const file_key = newFileKey(blog_id);
  await strays.note(call.get(Database).knex, blog_id, file_key);
  await store(call, file_key, bytes, mime);
  const served = servedPlace(project, path, sha256);
  await inTurn(call, turn, async (trx) => {
    if (!(await strays.settle(trx, file_key))) fail('storage_unavailable');
    const file = { blog_id, project_id, path, sha256, served, file_key };
    await call.get(FileStore).save(trx, { ...file, bytes: bytes.byteLength, mime_type: mime });
  });
  return { path, sha256, served };
}

async function store(call: Call, key: string, bytes: Buffer, contentType: string): Promise<void> {
  const { signal } = call;
  try {
    const source = Readable.from([bytes], { objectMode: false });
    await call.get(Storage).write(key, source, { limit: bytes.byteLength, contentType, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new CodedError('storage_unavailable', { cause: error });
  }
}
