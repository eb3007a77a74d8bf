import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Archive, ArchivedFile } from './archive.ts';
import { ArchiveProblem, refuse } from './archive-problem.ts';
import { type ArchiveLimits, freeOfRatio } from './limits.ts';

/** Bytes that were really unpacked of an archive so far. */
export class Unpacked {
  readonly #archiveBytes: number;
  readonly #limits: ArchiveLimits;
  #bytes = 0;

  constructor(archive: Pick<Archive, 'bytes'>, limits: ArchiveLimits) {
    this.#archiveBytes = archive.bytes;
    this.#limits = limits;
  }

  /**
   * @param own bytes of this file so far, these included
   * @throws ArchiveProblem `too_large`, `ratio`
   */
  count(bytes: number, own: number, { path, packedBytes }: ArchivedFile): void {
    const { maxUnpackedBytes, maxRatio } = this.#limits;
    this.#bytes += bytes;
    if (this.#bytes > maxUnpackedBytes) refuse('too_large', path);
    if (own > freeOfRatio && own > packedBytes * maxRatio) refuse('ratio', path);
    if (this.#bytes > this.#archiveBytes * maxRatio) refuse('ratio', path);
  }
}

/** A file that is longer than its headers say is unpacked so far, to tell a bomb from a fault. */
const lookedAtBehind = 2 * 1024 * 1024;
const pieceBytes = 64 * 1024;
const fewestBytes = 16 * 1024;

/**
 * The bytes of a file, unpacked as they are asked for. They are the file only once all have come without a throw.
 * @throws ArchiveProblem `not_zip` where they are not what the headers say; `too_large`, `ratio`
 */
export async function* readFile(
  { file }: Archive,
  entry: ArchivedFile,
  unpacked: Unpacked,
): AsyncGenerator<Buffer, void, undefined> {
  const { path, bytes, packedBytes } = entry;
  let own = 0;
  let sum = 0;
  for await (const piece of entry.method === 8 ? inflated(file, entry) : stored(file, entry)) {
    own += piece.length;
    unpacked.count(piece.length, own, entry);
    if (own > bytes + lookedAtBehind) refuse('not_zip', path);
    if (own > bytes) continue;
    sum = crc32(piece, sum);
    yield piece;
  }
  if (own !== bytes || sum !== entry.crc32) refuse('not_zip', path);
  if (entry.method === 0 && packedBytes !== bytes) refuse('not_zip', path);
}

async function* stored(
  file: Archive['file'],
  { dataStart, packedBytes, path }: ArchivedFile,
): AsyncGenerator<Buffer> {
  const end = dataStart + packedBytes;
  for (let at = dataStart; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) refuse('not_zip', path);
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

async function* inflated(file: Archive['file'], entry: ArchivedFile): AsyncGenerator<Buffer> {
  // Not less than this for one that says it is short: whoever lies would be unpacked a kilobyte at a time.
  const chunkSize = Math.min(pieceBytes, Math.max(fewestBytes, entry.bytes));
  const inflate = createInflateRaw({ chunkSize });
  // Its errors are those of the iteration below.
  pipeline(stored(file, entry), inflate, () => undefined);
  try {
    yield* inflate as AsyncIterable<Buffer>;
  } catch (error) {
    throw isBroken(error) ? new ArchiveProblem('not_zip', entry.path, error) : error;
  }
  // What stands behind the end of the data belongs to nothing.
  if (inflate.bytesWritten !== entry.packedBytes) refuse('not_zip', entry.path);
}

const isBroken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
