import type { FileHandle } from 'node:fs/promises';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import type { Archive, ArchivedFile } from './archive.ts';
import { ArchiveProblem, refuse } from './archive-problem.ts';
import { BlockReader } from './block-reader.ts';
import { checkEntry, checkLocal } from './check-entry.ts';
import { checkNames } from './check-names.ts';
import { checkPlaces, type Span } from './check-places.ts';
import { pathOf } from './entry-name.ts';
import { isJunk } from './junk.ts';
import { type ArchiveLimits, freeOfRatio } from './limits.ts';

/** Folders and the companions that macOS gives each file are no files, but somebody has to read past them. */
const entriesPerFile = 4;
const fewestEntries = 1_000;

interface Listed {
  readonly entry: Entry;
  readonly path: string;
}

/**
 * Reads all headers of an archive and none of its data. What they promise is bound by the limits; whether they tell
 * the truth is for `readFile` to find out.
 * @throws ArchiveProblem
 */
export async function readArchive(file: FileHandle, limits: ArchiveLimits): Promise<Archive> {
  const { size } = await file.stat();
  try {
    const zip = await fromRandomAccessReaderPromise(new BlockReader(file), size, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    // Declared as a boolean, and the offset of the next entry in truth.
    const directoryStart = Number(zip.readEntryCursor);
    const listed = await list(zip, limits);
    await checkEnd(file, Number(zip.readEntryCursor));
    checkNames(listed.map(({ path }) => path));
    checkSpans(listed, directoryStart, () => 0);
    const files = await locate(zip, listed, directoryStart);
    checkSizes(files, size, limits);
    return { file, bytes: size, files };
  } catch (error) {
    throw asProblem(error);
  }
}

/** Whatever the reader of headers cannot read is no archive; a disk that fails is another matter. */
function asProblem(error: unknown): unknown {
  if (error instanceof ArchiveProblem || !(error instanceof Error)) return error;
  if ('syscall' in error) return error;
  const reason = error.message.includes('encryption') ? 'encrypted' : 'not_zip';
  return new ArchiveProblem(reason, null, error);
}

async function list(zip: ZipFile, { maxFiles }: ArchiveLimits): Promise<Listed[]> {
  const listed: Listed[] = [];
  let files = 0;
  for await (const entry of zip.eachEntry()) {
    checkEntry(entry);
    const path = pathOf(entry);
    listed.push({ entry, path });
    if (!isJunk(path)) files += 1;
    if (files > maxFiles || listed.length > maxFiles * entriesPerFile + fewestEntries) {
      refuse('too_many_files', path);
    }
  }
  return listed;
}

const directoryEntry = Buffer.from('PK\x01\x02', 'latin1');

/** A directory that goes on behind its last entry shows other programs another archive. */
async function checkEnd(file: FileHandle, at: number): Promise<void> {
  const next = Buffer.alloc(directoryEntry.length);
  await file.read(next, 0, next.length, at);
  if (next.equals(directoryEntry)) refuse('not_zip', null);
}

const localHeaderBytes = 30;

function checkSpans(
  listed: readonly Listed[],
  directoryStart: number,
  extraOf: (at: number) => number,
): void {
  const spans = listed.map(({ entry, path }, at): Span => {
    const start = entry.relativeOffsetOfLocalHeader;
    const head = localHeaderBytes + entry.fileNameLength + extraOf(at);
    return { name: path, start, end: start + head + entry.compressedSize };
  });
  checkPlaces(spans, directoryStart);
}

/** Where the data of each file begins, by its local header. */
async function locate(zip: ZipFile, listed: readonly Listed[], directoryStart: number) {
  const extras: number[] = [];
  const files: ArchivedFile[] = [];
  for (const { entry, path } of listed) {
    const local = await zip.readLocalFileHeaderPromise(entry);
    checkLocal(entry, local);
    extras.push(local.extraFieldLength);
    if (isJunk(path)) continue;
    files.push({
      path,
      method: entry.compressionMethod === 8 ? 8 : 0,
      dataStart: local.fileDataStart,
      packedBytes: entry.compressedSize,
      bytes: entry.uncompressedSize,
      crc32: entry.crc32,
    });
  }
  checkSpans(listed, directoryStart, (at) => extras[at] ?? 0);
  return files;
}

/** An archive that says itself that it is too large needs not be unpacked. */
function checkSizes(files: readonly ArchivedFile[], archiveBytes: number, limits: ArchiveLimits): void {
  let total = 0;
  for (const { path, bytes, packedBytes } of files) {
    total += bytes;
    if (total > limits.maxUnpackedBytes) refuse('too_large', path);
    if (bytes > freeOfRatio && bytes > packedBytes * limits.maxRatio) refuse('ratio', path);
  }
  if (total > archiveBytes * limits.maxRatio) refuse('ratio', null);
}
