import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** No job runs longer than a day; what is older belongs to a process that is gone. */
const leftoverAfterMs = 2 * 24 * 60 * 60 * 1000;

/** Folders for work that needs files on this machine, each of its own, below `DATA_DIR`. */
export class WorkFolders {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Calls `work` with a new empty folder, which is gone afterwards with all in it, whatever happens. */
  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = path.resolve(this.#root, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }

  /** Removes what killed processes left; it never throws. `alone`: no other process works in it. */
  async sweep(alone: boolean, now: number): Promise<void> {
    for (const name of await readdir(this.#root).catch(() => [])) {
      const folder = path.join(this.#root, name);
      const facts = await stat(folder).catch(() => null);
      if (facts === null || (!alone && now - facts.mtimeMs < leftoverAfterMs)) continue;
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
