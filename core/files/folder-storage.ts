import { constants } from 'node:fs';
import { copyFile, open, rm, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { abortable } from './abortable.ts';
import { checkRange } from './byte-range.ts';
import { isFolder, nullIfAbsent, pruneEmptyFolders, publish } from './disk.ts';
import { listFiles } from './folder-listing.ts';
import { checkKey } from './key.ts';
import { Meter } from './meter.ts';
import type {
  ByteRange,
  FileFacts,
  FinishedFile,
  OpenFile,
  Storage,
  StoredFile,
  WriteOptions,
} from './storage.ts';
import { FileMissing, NotAsSaid } from './storage-errors.ts';
import { takeByWriting } from './take-by-writing.ts';
import { TemporaryFiles } from './temporary-files.ts';

/** Files in a folder of this machine, or of a network file system that all processes share. */
export class FolderStorage implements Storage {
  readonly #root: string;
  readonly #temporary: TemporaryFiles;
  readonly #swept: Promise<void>;

  /** @param alone no other process writes to the folder: what a killed one left can go at once */
  constructor(root: string, alone: boolean) {
    this.#root = root;
    this.#temporary = new TemporaryFiles(path.join(root, '.tmp'));
    this.#swept = this.#temporary.sweep(alone, Date.now());
  }

  #path(key: string): string {
    checkKey(key);
    return path.join(this.#root, key);
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<StoredFile> {
    const target = this.#path(key);
    options.signal?.throwIfAborted();
    return await this.#temporary.use(async (file, name) => {
      const meter = new Meter(options.limit);
      for await (const chunk of abortable(source, options.signal)) {
        meter.count(chunk);
        await file.writeFile(chunk);
      }
      await file.datasync();
      options.signal?.throwIfAborted();
      await publish(name, target);
      return { key, ...meter.result() };
    });
  }

  async take(key: string, file: FinishedFile, options: Omit<WriteOptions, 'limit'>): Promise<void> {
    const target = this.#path(key);
    options.signal?.throwIfAborted();
    const taken = await this.#temporary.useLink(file.path, async (linked, name) => {
      const { size } = await linked.stat();
      if (size !== file.bytes) throw new NotAsSaid(key);
      await linked.datasync();
      options.signal?.throwIfAborted();
      await publish(name, target);
    });
    if (!taken) await takeByWriting(this, key, file, options);
  }

  async read(key: string, range?: ByteRange): Promise<OpenFile | null> {
    const name = this.#path(key);
    if (range !== undefined) checkRange(range);
    const file = await nullIfAbsent(open(name, constants.O_RDONLY));
    if (file === null) return null;
    try {
      const facts = await file.stat();
      if (!facts.isFile()) {
        await file.close();
        return null;
      }
      if (range !== undefined && range.start >= facts.size)
        throw new RangeError('The range is past the end.');
      return { bytes: facts.size, modified: facts.mtime, stream: file.createReadStream(range ?? {}) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async localPath(key: string): Promise<string | null> {
    return (await this.stat(key)) === null ? null : path.resolve(this.#path(key));
  }

  async stat(key: string): Promise<FileFacts | null> {
    const facts = await nullIfAbsent(stat(this.#path(key)));
    return facts?.isFile() ? { bytes: facts.size, modified: facts.mtime } : null;
  }

  async copy(from: string, to: string): Promise<void> {
    const source = this.#path(from);
    const target = this.#path(to);
    await this.#temporary.use(async (file, name) => {
      if ((await this.stat(from)) === null) throw new FileMissing(from);
      // A reflink where the file system has one, else a copy by the kernel.
      await copyFile(source, name, constants.COPYFILE_FICLONE);
      await file.datasync();
      await publish(name, target);
    });
  }

  async remove(key: string): Promise<void> {
    const target = this.#path(key);
    await nullIfAbsent(unlink(target));
    await pruneEmptyFolders(path.dirname(target), this.#root);
  }

  async removeFolder(prefix: string): Promise<void> {
    const target = this.#path(prefix);
    if (!(await isFolder(target))) return;
    // Retries: another process may add a file while the folder is being emptied.
    await rm(target, { recursive: true, force: true, maxRetries: 5 });
    await pruneEmptyFolders(path.dirname(target), this.#root);
  }

  async *list(prefix: string): AsyncIterable<{ key: string; bytes: number }> {
    yield* listFiles(prefix === '' ? this.#root : this.#path(prefix), prefix);
  }

  async check(): Promise<void> {
    await this.#swept;
    await this.#temporary.use(async (file, name) => {
      await file.writeFile('ok');
      const { bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
      if (bytesRead !== 2) throw new Error('The file storage does not give back what was written.');
      await unlink(name);
    });
  }
}
