import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import { hostCapabilities } from '../auth/capabilities.ts';
import { checkDeclaration, DeclarationError } from '../registry/check-declaration.ts';
import { checkTogether } from '../registry/check-together.ts';
import {
  type InstalledModule,
  type InstalledModules,
  type LoadError,
  type ModuleSpec,
  specOf,
} from '../registry/spec.ts';
import { type FolderToRead, type FoundPackage, findPackages } from './find-packages.ts';
import { announceModuleFolder, registerResolveHooks } from './resolve-hooks.ts';

/** Milliseconds that a package's code may take to load. */
const importLimitMs = 10_000;

/**
 * Finds, checks and imports every package. A bad one becomes a module with an `error` and harms nothing else.
 * @param only ids to load, for tests; null loads all
 */
export async function loadModules(
  folders: readonly FolderToRead[],
  only: ReadonlySet<string> | null,
  log: Logger,
): Promise<InstalledModules> {
  registerResolveHooks();
  const { packages, faults } = await findPackages(folders);
  const modules = new Map<string, InstalledModule>();
  const chosen = packages.filter((found) => only === null || only.has(found.id));
  for (const found of chosen) announceModuleFolder(found.id, found.folder);
  const loaded = await Promise.all(chosen.map(loadOne));
  for (const module of loaded) {
    // The first package keeps the id.
    if (!modules.has(module.id)) modules.set(module.id, module);
    else log.error({ module: module.id, folder: module.folder, code: 'id_conflict' }, 'package refused');
  }
  for (const fault of faults) {
    log.warn({ folder: fault.folder, code: fault.code, reason: fault.message }, 'package refused');
    if (fault.id === null || modules.has(fault.id)) continue;
    modules.set(fault.id, {
      id: fault.id,
      version: fault.version,
      api: 0,
      source: 'folder',
      folder: fault.folder,
      spec: null,
      error: errorNow(fault.code, fault.message),
    });
  }
  for (const module of modules.values()) {
    if (module.error) log.error({ module: module.id, ...module.error }, 'module failed to load');
  }
  return checkTogether(new Map([...modules].sort(([a], [b]) => (a < b ? -1 : 1))));
}

export const errorNow = (code: string, message: string): LoadError => ({
  code,
  message,
  at: new Date().toISOString(),
});

async function loadOne(found: FoundPackage): Promise<InstalledModule> {
  const { id, version, api, source, folder } = found;
  try {
    return { id, version, api, source, folder, spec: await importSpec(found), error: null };
  } catch (error) {
    const code = error instanceof DeclarationError ? 'manifest_invalid' : 'load_failed';
    const message = error instanceof Error ? error.message : String(error);
    return { id, version, api, source, folder, spec: null, error: errorNow(code, message) };
  }
}

async function importSpec(found: FoundPackage): Promise<ModuleSpec> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Loading took longer than ${importLimitMs} ms.`)),
      importLimitMs,
    );
  });
  try {
    const exported = (await Promise.race([import(pathToFileURL(found.main).href), late])) as {
      default?: unknown;
    };
    checkDeclaration(exported.default, found.id, hostCapabilities);
    return specOf(exported.default);
  } finally {
    clearTimeout(timer);
  }
}
