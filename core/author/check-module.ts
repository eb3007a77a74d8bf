import { realpath } from 'node:fs/promises';
import { pino } from 'pino';
import { hostCapabilities } from '../auth/capabilities.ts';
import { builtinFolder } from '../boot/host.ts';
import { type FoundPackage, findPackages, readPackage } from '../discovery/find-packages.ts';
import { loadModules } from '../discovery/load-modules.ts';
import { importDeclaration, loadPackage } from '../discovery/load-package.ts';
import { copyOf } from '../discovery/resolve-hooks.ts';
import { declarationFaults } from '../registry/check-declaration.ts';
import type { InstalledModule, ModuleSpec } from '../registry/spec.ts';
import { withThrowawayHost } from './throwaway-host.ts';

/** Something that the host would refuse. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

export interface Verdict {
  readonly id: string | null;
  readonly version: string;
  readonly refusals: readonly Refusal[];
  /** What is not refused, and yet hardly meant. */
  readonly notes: readonly string[];
  /** `METHOD path`, of a module that nothing is held against. */
  readonly routes: readonly string[];
}

const refused = (id: string | null, version: string, refusals: readonly Refusal[]): Verdict => ({
  ...{ id, version, refusals },
  notes: [],
  routes: [],
});

/**
 * All that a host would hold against the package of this folder: first what its files say, then, if that is well,
 * what becomes of it among the modules of this installation, on a database that is thrown away.
 */
export async function checkModule(given: string): Promise<Verdict> {
  const folder = await realpath(given).catch(() => given);
  const root = { folder, source: 'folder', watched: false } as const;
  const found = await readPackage(folder, root.source);
  const { id, version } = found;
  if ('code' in found) return refused(id, version, [found]);
  const { faults } = await findPackages([builtinFolder, root], new Map());
  const own = faults.filter((fault) => fault.folder === folder);
  if (own.length > 0) return refused(id, version, own);
  const faultsOfFiles = await checkFiles(found);
  if (faultsOfFiles.length > 0) return refused(id, version, faultsOfFiles);
  return withThrowawayHost([root], async (host) => {
    const module = host.modules.get(found.id);
    if (!module?.spec || module.error) return refused(id, version, module?.error ? [module.error] : []);
    return { id, version, refusals: [], notes: notesOn(module, host.modules), routes: routesOf(module.spec) };
  });
}

/** Imports the package and looks at its declaration: every fault, not only the first one. */
async function checkFiles(found: FoundPackage): Promise<Refusal[]> {
  // Other modules' apis can be imported from here on.
  await loadModules([builtinFolder], null, pino({ level: 'silent' }));
  const copy = copyOf(found.folder, found.hash, false);
  const { error } = await loadPackage(found, copy);
  if (!error) return [];
  if (error.code !== 'manifest_invalid') return [error];
  const declaration = await importDeclaration(found, copy);
  const messages = declarationFaults(declaration, found.id, hostCapabilities);
  return (messages.length > 0 ? messages : [error.message]).map((message) => ({ code: error.code, message }));
}

function notesOn({ spec }: InstalledModule, modules: ReadonlyMap<string, InstalledModule>): string[] {
  if (!spec) return [];
  return [
    ...spec.requires
      .filter((id) => !modules.has(id))
      .map((id) => `requires: "${id}" is not installed here; without it the module stays off.`),
    ...spec.operations.flatMap(({ id, path, input }) => {
      const declared = Object.keys(input?.params?.fields ?? {});
      return [...path.matchAll(/\{(\w+)\}/g)]
        .filter(([, name]) => !declared.includes(name ?? ''))
        .map(
          ([, name]) => `operations.${id}.input.params: has no "${name}", so the handler will not see it.`,
        );
    }),
  ];
}

const routesOf = ({ operations }: ModuleSpec): string[] =>
  operations.map(({ method, path }) => `${method} ${path}`).sort();
