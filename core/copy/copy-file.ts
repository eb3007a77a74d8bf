import { createHash } from 'node:crypto';
import { CodedError } from '../api/errors.ts';
import { TransientFailure } from '../api/job.ts';
import type { OpenFile, Storage } from '../files/storage.ts';
import { FileMissing, FileTooLarge, StorageFull } from '../files/storage-errors.ts';

/** A file in the storage, and where its copy is to be. */
export interface FileCopy {
  readonly from: string;
  readonly to: string;
  readonly contentType: string;
  /** What it must be; null where nobody noted it. */
  readonly expected: { readonly bytes: number; readonly sha256: string } | null;
}

export type FileOutcome = { readonly bytes: number } | 'missing' | 'damaged';

/** Larger files are streamed, which a signal can end; smaller ones are copied inside the storage. */
const longestCopy = 256 * 1024 * 1024;

interface Facts {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Copies one file under a new key, and compares size and SHA-256 of the copy. May be repeated.
 * @throws `storage_full`; a transient failure with `copy_failed`; the reason of the signal
 */
export async function copyFile(storage: Storage, file: FileCopy, signal: AbortSignal): Promise<FileOutcome> {
  try {
    const facts = await storage.stat(file.from);
    if (facts === null) return 'missing';
    const { expected } = file;
    if (expected && facts.bytes !== expected.bytes) return 'damaged';
    const copy = await (facts.bytes > longestCopy ? streamed : copied)(storage, file, facts.bytes, signal);
    if (copy === 'missing' || copy === 'damaged') return copy;
    return { bytes: copy.bytes };
  } catch (error) {
    signal.throwIfAborted();
    throw asFailure(error);
  }
}

async function streamed(
  storage: Storage,
  { from, to, contentType, expected }: FileCopy,
  bytes: number,
  signal: AbortSignal,
): Promise<Facts | 'missing' | 'damaged'> {
  const open = await storage.read(from);
  if (open === null) return 'missing';
  const copy = await storage.write(to, open.stream, { limit: bytes, contentType, signal });
  if (copy.bytes !== bytes || (expected && copy.sha256 !== expected.sha256)) {
    await storage.remove(to);
    return 'damaged';
  }
  return copy;
}

async function copied(
  storage: Storage,
  { from, to, expected }: FileCopy,
  bytes: number,
  signal: AbortSignal,
): Promise<Facts | 'missing' | 'damaged'> {
  await storage.copy(from, to);
  const copy = await factsOf(await storage.read(to), signal);
  if (copy.bytes === bytes && (!expected || copy.sha256 === expected.sha256)) return copy;
  // Either the copy is not what the source is, or the source is not what its row says.
  const source = await factsOf(await storage.read(from), signal);
  await storage.remove(to);
  if (source.sha256 === copy.sha256) return 'damaged';
  throw new Error('The copy of a file differs from it.');
}

async function factsOf(open: OpenFile | null, signal: AbortSignal): Promise<Facts> {
  if (open === null) throw new FileMissing('');
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of open.stream as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted();
    bytes += chunk.byteLength;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

function asFailure(error: unknown): Error {
  if (error instanceof StorageFull) {
    return new CodedError('storage_full', { message: 'The file storage is full.', cause: error });
  }
  if (error instanceof FileTooLarge || error instanceof FileMissing) {
    return transient('A file changed while it was copied.', error);
  }
  return transient('The file storage failed.', error);
}

/** A failure that may pass, and what the copy fails with when it does not. */
export function transient(message: string, cause: unknown): TransientFailure {
  return new TransientFailure(message, { cause: new CodedError('copy_failed', { message, cause }) });
}
