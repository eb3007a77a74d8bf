import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../files/disk.ts';
import { TemporaryFiles } from '../files/temporary-files.ts';

/**
 * Where uploads wait until their handler has looked at them: below `DATA_DIR`, since the system's folder for
 * temporary files is often small or in memory, and an upload may have 2 GiB.
 */
export class UploadFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes what killed processes left; it never throws. `alone`: no other process uploads to this folder. */
  async sweep(alone: boolean, now: number): Promise<void> {
    await new TemporaryFiles(this.#folder).sweep(alone, now);
  }

  /** A new empty file, open for writing; whoever asked for it removes it. */
  async create(): Promise<{ readonly path: string; readonly file: FileHandle }> {
    const name = path.join(this.#folder, randomUUID());
    try {
      return { path: name, file: await open(name, 'wx', 0o600) };
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await mkdir(this.#folder, { recursive: true });
      return { path: name, file: await open(name, 'wx', 0o600) };
    }
  }
}
