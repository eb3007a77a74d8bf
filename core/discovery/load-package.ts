import { hostCapabilities } from '../auth/capabilities.ts';
import { namespacesOf } from '../http/route-table.ts';
import { legible } from '../isolation/legible.ts';
import { loadIsolated } from '../isolation/load-isolated.ts';
import { asModule } from '../isolation/running.ts';
import { checkDeclaration } from '../registry/check-declaration.ts';
import { DeclarationError } from '../registry/declaration-fault.ts';
import { type InstalledModule, type LoadError, type ModuleSpec, specOf } from '../registry/spec.ts';
import type { FoundPackage } from './find-packages.ts';
import { wordsFor } from './load-words.ts';
import { addressIn, type CodeCopy, spoilCopy } from './resolve-hooks.ts';

/** Milliseconds that a package's code may take to load. */
const importLimitMs = 10_000;

export const errorNow = (code: string, message: string): LoadError => ({
  code,
  message,
  at: new Date().toISOString(),
});

/** Imports and checks one package under the addresses of this copy. A bad one is a module with an `error`. */
export async function loadPackage(found: FoundPackage, copy: CodeCopy): Promise<InstalledModule> {
  const { id, version, api, source, folder, hash } = found;
  const facts = { id, version, api, source, folder, hash };
  try {
    const spec = await importSpec(found, copy);
    return { ...facts, spec, error: null, served: true };
  } catch (error) {
    spoilCopy(copy);
    const code = legible(error) instanceof DeclarationError ? 'manifest_invalid' : 'load_failed';
    return { ...facts, spec: null, error: errorNow(code, await wordsFor(error, folder)), served: false };
  }
}

async function importSpec(found: FoundPackage, copy: CodeCopy): Promise<ModuleSpec> {
  const { heapMb } = found;
  const declaration =
    heapMb === null ? await importDeclaration(found, copy) : await loadIsolated({ ...found, heapMb });
  checkDeclaration(declaration, found.id, hostCapabilities);
  const spec = specOf(declaration);
  namespacesOf(spec);
  return spec;
}

/** The default export of the package's main file, unchecked. */
export async function importDeclaration(found: FoundPackage, copy: CodeCopy): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = importLimitMs / 1000;
      reject(new Error(`Loading took longer than ${seconds} s; what takes time belongs into hooks.start.`));
    }, importLimitMs);
  });
  try {
    const imported = asModule(found.id, () => import(addressIn(copy, found.main)));
    const exported = (await Promise.race([imported, late])) as { default?: unknown };
    return exported.default;
  } finally {
    clearTimeout(timer);
  }
}
