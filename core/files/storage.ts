import type { Readable } from 'node:stream';
import { FolderStorage } from './folder-storage.ts';
import { S3Storage } from './s3-storage.ts';
import { parseStorageUrl } from './storage-url.ts';

/** What a finished write stored: counted and hashed while the bytes went by. `sha256` is 64 hex digits. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface WriteOptions {
  /** Bytes; one more and the write fails with `FileTooLarge`. Real bytes are counted, no header is believed. */
  readonly limit: number;
  /** Kept beside the object in a bucket; a folder has no place for it. */
  readonly contentType: string;
  /** Ends the write, also while the source is silent. The write rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A finished file of this machine, counted and hashed by whoever wrote it. Nobody writes to it any more. */
export interface FinishedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** First and last byte, both included, as in HTTP. `end` may lie past the end of the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface FileFacts {
  /** Size of the whole file, also when only a range of it is read. */
  readonly bytes: number;
  readonly modified: Date;
}

export interface OpenFile extends FileFacts {
  /** Must be read to its end or destroyed, else a descriptor or a connection stays open. */
  readonly stream: Readable;
}

/**
 * Where files live. Keys are made by the host (`checkKey`); each method throws `InvalidKey` on any other.
 * A file is visible under its key whole or not at all; memory does not grow with its size.
 */
export abstract class Storage {
  /**
   * Streams `source` into the key, in place of what was there. A failed or aborted write changes nothing
   * and leaves nothing. When it resolves, the file survives a loss of power.
   * A source that is not read to its end is ended, and a stream destroyed; so never hand in the request
   * itself, whose socket must still carry the answer.
   * Throws `FileTooLarge`, `StorageFull`, the error of the source, the reason of the signal.
   */
  abstract write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<StoredFile>;
  /**
   * Stores a finished file under the key as `write` does, without reading it where both lie on one file system. It
   * stays where it is, for its owner to remove.
   * Throws what `write` throws, and an `Error` when the file is not what it is said to be.
   */
  abstract take(key: string, file: FinishedFile, options: Omit<WriteOptions, 'limit'>): Promise<void>;
  /** Null when there is no such file. Throws a `RangeError` when the range begins past the end. */
  abstract read(key: string, range?: ByteRange): Promise<OpenFile | null>;
  /** Where the file lies on this machine, for programs that read it themselves; null where it does not. */
  abstract localPath(key: string): Promise<string | null>;
  /** Null when there is no such file. */
  abstract stat(key: string): Promise<FileFacts | null>;
  /** Copies inside the storage, without the bytes passing through this process. Throws `FileMissing`. */
  abstract copy(from: string, to: string): Promise<void>;
  /** Does nothing when there is no such file. */
  abstract remove(key: string): Promise<void>;
  /** Removes all below `prefix` + `/`; a file with the very key `prefix` stays. */
  abstract removeFolder(prefix: string): Promise<void>;
  /** All files below `prefix` + `/`, in no promised order. An empty prefix lists the whole storage. */
  abstract list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number }>;
  /** Writes and reads a few bytes, for readiness. Throws what went wrong. */
  abstract check(): Promise<void>;
}

/** 8 MiB: an upload holds one such part in memory, and 10,000 of them, the most S3 takes, are 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;

/** S3 copies at most 5 GiB in one request; larger objects are copied in parts of this size. */
const COPY_PART_BYTES = 1024 * 1024 * 1024;

/**
 * Opens the storage of `STORAGE_URL` without touching it; use `check` to learn whether it works.
 * Throws an `Error` that says what is wrong with the URL; `STORAGE_URL_FORMS` says what is allowed.
 * @param alone this is the only process that writes to it
 */
export function openStorage(url: string, alone?: boolean): Storage {
  const location = parseStorageUrl(url);
  if (location.kind === 'folder') return new FolderStorage(location.folder, alone === true);
  return new S3Storage(location, { partBytes: PART_BYTES, copyPartBytes: COPY_PART_BYTES });
}
