import { namedBy } from '../registry/requirement-order.ts';
import type { InstalledModule, InstalledModules } from '../registry/spec.ts';
import type { Found, FoundPackage, PackageFault } from './find-packages.ts';
import { faulty } from './load-modules.ts';

/** A package that is to be loaded. */
export interface Member {
  readonly id: string;
  readonly found: FoundPackage;
  /** The module that is served until now; null when there is none. */
  readonly served: InstalledModule | null;
  /** False for a package that is only loaded again because one that it names changes. */
  readonly changed: boolean;
}

/** What must happen for the modules to be what the folders hold. */
export interface SwapPlan {
  readonly members: readonly Member[];
  readonly removed: readonly string[];
  /** Modules that need not be loaded, with the errors that their packages have now. */
  readonly rest: InstalledModules;
}

/** An error that files do not mend: operators switch the module on again. */
const crashed = 'crashed';

/**
 * Compares what is installed with what was found.
 * @param again whether to try a package that failed and did not change
 */
export function planSwap(
  installed: InstalledModules,
  found: Found,
  again: (found: FoundPackage) => boolean,
): SwapPlan {
  const packages = new Map(found.packages.map((one) => [one.id, one]));
  const faults = faultsById(installed, found, packages);
  const removed = [...installed.values()].filter((old) => isGone(old, found, packages, faults));
  const tried = new Map<string, Member>();
  for (const one of packages.values()) {
    const old = installed.get(one.id);
    const isNew = !old || old.hash !== one.hash || old.folder !== one.folder;
    const failed = old?.error && old.error.code !== crashed;
    if (isNew || (failed && again(one))) {
      tried.set(one.id, { id: one.id, found: one, served: old?.served ? old : null, changed: true });
    }
  }
  addDependents(installed, packages, tried, new Set(removed.map(({ id }) => id)));
  const rest = new Map<string, InstalledModule>();
  for (const [id, old] of installed) if (!tried.has(id) && !removed.includes(old)) rest.set(id, old);
  for (const [id, fault] of faults) {
    const old = rest.get(id);
    if (old && isKnown(old, fault)) continue;
    const record = faulty(fault, id);
    rest.set(id, old?.served ? { ...old, hash: fault.hash, error: record.error } : record);
  }
  return { members: [...tried.values()], removed: removed.map(({ id }) => id), rest };
}

const isKnown = ({ hash, error }: InstalledModule, fault: PackageFault): boolean =>
  hash === fault.hash && error?.code === fault.code && error.message === fault.message;

/** Faults that belong to a module: those of an id that nobody else has, and those of a folder that it came from. */
function faultsById(
  installed: InstalledModules,
  found: Found,
  packages: ReadonlyMap<string, FoundPackage>,
): ReadonlyMap<string, PackageFault> {
  const byFolder = new Map([...installed.values()].map(({ folder, id }) => [folder, id]));
  const faults = new Map<string, PackageFault>();
  for (const fault of found.faults) {
    if (fault.code === 'manifest_missing' || fault.code === 'id_conflict') continue;
    const id = fault.id ?? byFolder.get(fault.folder);
    if (id === undefined || packages.has(id) || faults.has(id)) continue;
    faults.set(id, fault);
  }
  return faults;
}

/** What comes with the host goes with the host; of a folder that cannot be read nothing is known. */
function isGone(
  { id, folder, source }: InstalledModule,
  { unreadable }: Found,
  packages: ReadonlyMap<string, FoundPackage>,
  faults: ReadonlyMap<string, PackageFault>,
): boolean {
  if (source === 'builtin' || packages.has(id) || faults.has(id)) return false;
  return !unreadable.some((root) => root.source === source && `${folder}/`.startsWith(`${root.folder}/`));
}

/**
 * A module holds on to the code of those that it names, so it is loaded again with them. One that requires what is
 * gone is off anyway; one that could do without it must be loaded without it.
 */
function addDependents(
  installed: InstalledModules,
  packages: ReadonlyMap<string, FoundPackage>,
  tried: Map<string, Member>,
  removed: ReadonlySet<string>,
): void {
  for (let before = -1; before !== tried.size; ) {
    before = tried.size;
    for (const [id, old] of installed) {
      const found = packages.get(id);
      if (!old.served || !old.spec || !found || tried.has(id)) continue;
      const isLoadedAgain = namedBy(old.spec).some((other) => tried.has(other));
      const loses = old.spec.optional.some((other) => removed.has(other));
      if (isLoadedAgain || loses) tried.set(id, { id, found, served: old, changed: false });
    }
  }
}
