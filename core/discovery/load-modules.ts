import type { Logger } from 'pino';
import { checkTogether } from '../registry/check-together.ts';
import type { InstalledModule, InstalledModules } from '../registry/spec.ts';
import { findPackages, type PackageFault } from './find-packages.ts';
import { errorNow, loadPackage } from './load-package.ts';
import type { FolderToRead } from './package-folders.ts';
import { announceCopies, copyOf, registerResolveHooks } from './resolve-hooks.ts';

/**
 * Finds, checks and imports every package, at the start of a process. A bad one becomes a module with an `error` and
 * harms nothing else.
 * @param only ids to load, for tests; null loads all
 */
export async function loadModules(
  folders: readonly FolderToRead[],
  only: ReadonlySet<string> | null,
  log: Logger,
): Promise<InstalledModules> {
  registerResolveHooks();
  const { packages, faults } = await findPackages(folders, new Map());
  const chosen = packages.filter((found) => only === null || only.has(found.id));
  const copies = new Map(chosen.map(({ id, folder, hash }) => [id, copyOf(folder, hash, false)]));
  announceCopies(copies);
  const loaded = await Promise.all(
    chosen.map((found) => {
      const copy = copies.get(found.id);
      if (!copy) throw new Error(`No copy of ${found.id} was made.`);
      return loadPackage(found, copy);
    }),
  );
  const modules = new Map<string, InstalledModule>(loaded.map((module) => [module.id, module]));
  for (const fault of faults) {
    log.warn({ folder: fault.folder, code: fault.code, reason: fault.message }, 'package refused');
    const isListed = fault.id !== null && !modules.has(fault.id) && (only === null || only.has(fault.id));
    if (fault.id !== null && isListed) modules.set(fault.id, faulty(fault, fault.id));
  }
  const order = [...modules.keys()];
  return checkTogether(inOrderOfId(modules), order);
}

/** The record of a package that could not even be tried. */
export function faulty(
  { version, source, folder, hash, code, message }: PackageFault,
  id: string,
): InstalledModule {
  const error = errorNow(code, message);
  return { id, version, api: 0, source, folder, hash, spec: null, error, served: false };
}

export const inOrderOfId = (modules: InstalledModules): InstalledModules =>
  new Map([...modules].sort(([a], [b]) => (a < b ? -1 : 1)));
