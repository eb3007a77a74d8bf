import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { listFiles } from './package-files.ts';
import { candidateFolders, type FolderToRead } from './package-folders.ts';

/** Milliseconds without a change after which a package counts as wholly copied. */
const settleMs = 1_000;
/** Between looks without any hint: watchers miss what happens on network file systems and beyond their limits. */
const pollMs = 2_000;
/** A look may take at most this part of the time. */
const share = 20;
/** After a hint: the first file of a copy is not the last. */
const hintMs = 50;
/** Watchers that one process may have; folders beyond are polled. */
const mostWatchers = 1_000;

/**
 * Tells when packages in these folders changed and have come to rest. Watchers are hints that make it quick; what
 * counts is how files look (names, sizes, times), looked at after each hint and every few seconds in any case.
 */
export class FolderWatch {
  readonly #folders: readonly FolderToRead[];
  readonly #settled: () => Promise<void>;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #told: string | null = null;
  #last = '';
  #lastChange = 0;
  #stopped = false;
  #hinted = false;
  #due = Number.POSITIVE_INFINITY;
  /** What the last look costs the next one. */
  #breath = 0;

  /** @param settled told of each change; when it rejects it is told again with the next look */
  constructor(folders: readonly FolderToRead[], settled: () => Promise<void>) {
    this.#folders = folders;
    this.#settled = settled;
  }

  /** Tells once in any case: something may have changed since the packages were read. */
  start(): void {
    this.#lookIn(hintMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    await this.#looking;
  }

  #hint(): void {
    // A look under way may have passed the place already.
    this.#hinted = true;
    this.#lookIn(hintMs);
  }

  /** The sooner of this and what was planned. */
  #lookIn(milliseconds: number): void {
    const due = performance.now() + Math.max(milliseconds, this.#breath);
    if (this.#stopped || due >= this.#due) return;
    this.#due = due;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#looking = this.#round();
    }, due - performance.now());
    this.#timer.unref();
  }

  async #round(): Promise<void> {
    this.#hinted = false;
    const began = performance.now();
    const now = await this.#look();
    this.#breath = Math.min((performance.now() - began) * share, 60_000);
    if (now !== this.#last) {
      this.#last = now;
      this.#lastChange = performance.now();
    }
    const rested = performance.now() - this.#lastChange;
    const failed = now !== this.#told && rested >= settleMs && !(await this.#tell(now));
    this.#due = Number.POSITIVE_INFINITY;
    if (this.#hinted) this.#lookIn(hintMs);
    this.#lookIn(now === this.#told || failed ? pollMs : settleMs - rested);
  }

  async #tell(now: string): Promise<boolean> {
    try {
      await this.#settled();
      this.#told = now;
      return true;
    } catch {
      return false;
    }
  }

  /** Everything that a change would change, as one text. */
  async #look(): Promise<string> {
    const lines: string[] = [];
    const watched: string[] = [];
    for (const root of this.#folders) {
      watched.push(root.folder);
      const candidates = await candidateFolders(root);
      if (candidates.folders === null) {
        lines.push(`${root.folder} ${candidates.unreadable}`);
        continue;
      }
      for (const folder of candidates.folders) {
        watched.push(folder);
        lines.push(...(await this.#lookInto(folder, watched)));
      }
    }
    this.#watch(watched);
    return lines.join('\n');
  }

  async #lookInto(folder: string, watched: string[]): Promise<string[]> {
    const manifest = await stat(path.join(folder, 'package.json')).catch(() => null);
    // Whatever else it holds, it is no package yet.
    if (!manifest) return [folder];
    const installed = await stat(path.join(folder, 'node_modules', '.package-lock.json')).catch(() => null);
    try {
      const { files, folders } = await listFiles(folder);
      watched.push(...folders);
      return [
        `${folder} ${installed?.mtimeMs ?? ''}`,
        ...files.map(({ file, size, changedMs, modifiedMs }) => `${file} ${size} ${changedMs} ${modifiedMs}`),
      ];
    } catch (error) {
      return [`${folder} ${error instanceof Error ? error.message : String(error)} ${manifest.mtimeMs}`];
    }
  }

  #watch(folders: readonly string[]): void {
    if (this.#stopped) return;
    const wanted = new Set(folders.slice(0, mostWatchers));
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of wanted) {
      if (this.#watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, () => this.#hint());
        // A folder that goes away, or no more watchers to be had: the look every few seconds finds it.
        watcher.on('error', () => this.#forget(folder, watcher));
        this.#watchers.set(folder, watcher);
      } catch {
        return;
      }
    }
  }

  #forget(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder);
  }
}
