import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { asStorageError, errorCode } from './disk.ts';

/** A write touches its file with every chunk; one untouched for a day belongs to a process that is gone. */
const LEFTOVER_AFTER_MS = 24 * 60 * 60 * 1000;

/** Another file system, one without links, or too many of them. */
const UNLINKABLE = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK']);

/** The hidden folder of half-written files. It lies in the storage, so that a rename stays on one file system. */
export class TemporaryFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Calls `fill` with a new empty file and its path, for `fill` to complete and rename. Whatever happens,
   * the file is closed and its temporary name is gone afterwards. A full disk becomes `StorageFull`.
   */
  async use<T>(fill: (file: FileHandle, name: string) => Promise<T>): Promise<T> {
    const name = path.join(this.#folder, randomUUID());
    try {
      const file = await this.#create(name);
      try {
        return await fill(file, name);
      } finally {
        await file.close();
      }
    } catch (error) {
      await rm(name, { force: true }).catch(() => undefined);
      throw asStorageError(error);
    }
  }

  /**
   * Calls `fill` with a second name of a file, as `use` does with a new one; closed and gone afterwards, too. False
   * where the file cannot have a name here, as on another file system.
   */
  async useLink(file: string, fill: (file: FileHandle, name: string) => Promise<void>): Promise<boolean> {
    const name = path.join(this.#folder, randomUUID());
    try {
      if (!(await this.#link(file, name))) return false;
      const linked = await open(name, 'r+');
      try {
        await fill(linked, name);
      } finally {
        await linked.close();
      }
      return true;
    } catch (error) {
      await rm(name, { force: true }).catch(() => undefined);
      throw asStorageError(error);
    }
  }

  async #link(file: string, name: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true });
    try {
      await link(file, name);
      return true;
    } catch (error) {
      if (UNLINKABLE.has(errorCode(error) ?? '')) return false;
      throw error;
    }
  }

  async #create(name: string): Promise<FileHandle> {
    try {
      return await open(name, 'wx+');
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await mkdir(this.#folder, { recursive: true });
      return await open(name, 'wx+');
    }
  }

  /**
   * Removes what killed processes left: all of it when no other process has the folder, else what is older than
   * a day. Best effort: it never throws.
   */
  async sweep(alone: boolean, now: number): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const file = path.join(this.#folder, name);
      const facts = await stat(file).catch(() => null);
      if (facts === null || (!alone && now - facts.mtimeMs < LEFTOVER_AFTER_MS)) continue;
      await rm(file, { force: true }).catch(() => undefined);
    }
  }
}
