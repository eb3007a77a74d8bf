import type { Logger } from 'pino';
import type { Actor } from '../api/actor.ts';
import { operatorNetworkId } from '../content/networks/network-record.ts';
import type { Database } from '../db/database.ts';
import { type Found, type FoundPackage, findPackages } from '../discovery/find-packages.ts';
import { inOrderOfId } from '../discovery/load-modules.ts';
import type { FolderToRead } from '../discovery/package-folders.ts';
import { planSwap } from '../discovery/plan-swap.ts';
import { announceCopies } from '../discovery/resolve-hooks.ts';
import { Jobs } from '../jobs/jobs.ts';
import type { Installed } from '../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import type { Uses } from '../registry/uses.ts';
import type { StateNotice } from '../state/listener.ts';
import { announcePackages, packagesGeneration } from '../state/packages-store.ts';
import type { Services } from './container.ts';
import { noteReadyModules } from './meet-modules.ts';
import { stopModules } from './module-start.ts';
import {
  auditPackages,
  changesBetween,
  type PackageChanges,
  type PackageError,
  seenOf,
} from './package-changes.ts';
import { prepareSwap } from './swap.ts';

/** Milliseconds that replaced code may be at work, which is the longest that an operation may take. */
const retireLimitMs = 300_000;

/** What a look into the folders changed, and what is wrong in them. */
export interface RescanResult extends PackageChanges {
  readonly errors: readonly PackageError[];
}

export interface PackagesParts {
  readonly folders: readonly FolderToRead[];
  readonly only: ReadonlySet<string> | null;
  readonly installed: Installed;
  readonly uses: Uses;
  readonly db: Database;
  readonly services: Services;
  /** Makes what follows from the modules, before anybody asks for it. */
  readonly prepare: (modules: InstalledModules) => void;
  /** Called when other modules are served. */
  readonly swapped: () => void;
  readonly log: Logger;
}

/** Nobody asked: a file changed, or another process told. */
const host: Actor = {
  site: { blog_id: 0, network_id: operatorNetworkId },
  user: null,
  ip: null,
  requestId: null,
};

/** Keeps the modules of this process what the folders hold, while it runs. */
export class Packages {
  readonly #parts: PackagesParts;
  readonly #stopping = new AbortController();
  readonly #retiring = new Set<Promise<void>>();
  /** State of the dependencies with which a package was tried last, by folder. */
  readonly #tried = new Map<string, string>();
  #generation: number;
  #looking: Promise<unknown> = Promise.resolve();

  /** @param generation as it was when the packages were read */
  constructor(parts: PackagesParts, generation: number) {
    this.#parts = parts;
    this.#generation = generation;
  }

  /** Reads the folders now, tries again what failed, and tells the other processes when something changed. */
  rescan(actor: Actor): Promise<RescanResult> {
    return this.#inTurn(() => this.#look(actor, () => true));
  }

  /** The folders changed: looks, and tells the other processes. */
  async noticedChange(): Promise<void> {
    await this.#inTurn(() => this.#lookAndRetry(host));
  }

  /** Another process saw this change; a generation that is known already costs nothing. */
  async follow(generation: number): Promise<void> {
    if (generation <= this.#generation) return;
    await this.#inTurn(async () => {
      if (generation <= this.#generation) return;
      await this.#lookAndRetry(null);
      // Only now: a look that failed is taken again with the next hint.
      this.#generation = Math.max(this.#generation, generation);
    });
  }

  /** A notice of any process; what is not about packages is none of its business. */
  noticed(notice: StateNotice): void {
    const following =
      notice.kind === 'packages'
        ? this.follow(notice.generation)
        : notice.kind === 'reconnected'
          ? this.catchUp()
          : Promise.resolve();
    following.catch((error: unknown) => this.#parts.log.warn({ err: error }, 'packages not looked at'));
  }

  /** Looks whether a notice was missed. */
  async catchUp(): Promise<void> {
    await this.follow(await packagesGeneration(this.#parts.db.knex));
  }

  /** Waits for a look under way, and stops what is served and what was replaced. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking.catch(() => undefined);
    await Promise.all(this.#retiring);
    await stopModules(specs(this.#parts.installed.current), this.#parts.log);
  }

  /** One look at a time: who comes second finds nothing new. */
  #inTurn<T>(look: () => Promise<T>): Promise<T> {
    const turn = this.#looking.catch(() => undefined).then(look);
    this.#looking = turn;
    return turn;
  }

  #hasNewDependencies({ folder, dependencies }: FoundPackage): boolean {
    return this.#tried.get(folder) !== dependencies;
  }

  /** What failed for want of another package is tried again when others came or went, and after them. */
  async #lookAndRetry(actor: Actor | null): Promise<void> {
    const { loaded, updated, removed } = await this.#look(actor, (found) => this.#hasNewDependencies(found));
    if (loaded.length + updated.length + removed.length === 0) return;
    const failed = [...this.#parts.installed.current.values()].some(({ error }) => error !== null);
    if (failed) await this.#look(actor, () => true);
  }

  /** @param actor null: another process has told the others */
  async #look(actor: Actor | null, again: (found: FoundPackage) => boolean): Promise<RescanResult> {
    const { installed, log } = this.#parts;
    this.#stopping.signal.throwIfAborted();
    const before = installed.current;
    const found = await this.#find(before);
    const plan = planSwap(before, found, again);
    for (const one of found.packages) this.#tried.set(one.folder, one.dependencies);
    const swap = await prepareSwap(plan, this.#parts);
    const after = inOrderOfId(swap.modules);
    this.#replace(before, after, actor !== null && actor !== host);
    announceCopies(swap.copies);
    const { changes, errors, failed } = changesBetween(before, after, found);
    for (const { id, error } of failed) log.error({ module: id, ...error }, 'module failed to load');
    const isNews = [changes.loaded, changes.updated, changes.removed, failed].some((list) => list.length > 0);
    if (isNews) log.info({ ...changes, failed: failed.map(({ id }) => id) }, 'modules changed');
    if (isNews) await noteReadyModules(this.#parts.db, after, this.#parts.services.host(Jobs), log);
    if (isNews && actor) await this.#tell(actor, before, after, found);
    return { ...changes, errors };
  }

  async #find(modules: InstalledModules): Promise<Found> {
    const { folders, only } = this.#parts;
    const owners = new Map([...modules.values()].map(({ id, folder }) => [id, folder]));
    const found = await findPackages(folders, owners);
    const isMeant = ({ id }: { readonly id: string | null }): boolean =>
      only === null || id === null || only.has(id);
    return { ...found, packages: found.packages.filter(isMeant), faults: found.faults.filter(isMeant) };
  }

  /**
   * The one moment in which other code is served.
   * @param asked whether somebody had the folders read: then all that was read with them is looked at anew
   */
  #replace(before: InstalledModules, after: InstalledModules, asked: boolean): void {
    const { installed, prepare, swapped } = this.#parts;
    const present = new Set(specs(after));
    const replaced = [...specs(before)].filter((spec) => !present.has(spec));
    const same = [...before.values()].every((module) => after.get(module.id) === module);
    if (same && before.size === after.size && !asked) return;
    prepare(after);
    installed.replace(after);
    swapped();
    this.#retire(replaced);
  }

  /** Old code is stopped when the last request in it is answered. */
  #retire(replaced: readonly ModuleSpec[]): void {
    if (replaced.length === 0) return;
    const { uses, log } = this.#parts;
    const limit = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(retireLimitMs)]);
    const retired = uses
      .idle(replaced, limit)
      .then(() => stopModules(replaced, log))
      .finally(() => this.#retiring.delete(retired));
    this.#retiring.add(retired);
  }

  async #tell(actor: Actor, before: InstalledModules, after: InstalledModules, found: Found): Promise<void> {
    const { db } = this.#parts;
    const generation = await db.transaction(async (trx) => {
      const announced = await announcePackages(trx, seenOf(after));
      if (announced !== null) await auditPackages(trx, actor, before, after, found);
      return announced;
    });
    // Its own notice tells it nothing.
    if (generation !== null) this.#generation = Math.max(this.#generation, generation);
  }
}
