import type { FileHandle } from 'node:fs/promises';

/** A file of an archive whose headers were found to be in order. Its bytes are still to be counted. */
export interface ArchivedFile {
  /** Safe, relative, with slashes. */
  readonly path: string;
  /** 0: stored; 8: deflated. */
  readonly method: 0 | 8;
  readonly dataStart: number;
  readonly packedBytes: number;
  /** What the headers say. */
  readonly bytes: number;
  readonly crc32: number;
}

/** An archive on disk, open. */
export interface Archive {
  readonly file: FileHandle;
  readonly bytes: number;
  readonly files: readonly ArchivedFile[];
}
