import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const core = new Map([
  ['@lyceum/core', new URL('../api/index.ts', import.meta.url).href],
  ['@lyceum/core/testing', new URL('../testing/index.ts', import.meta.url).href],
]);

const modulePrefix = '@lyceum/module/';

/** Folder of each found module: where `@lyceum/module/<id>` leads. */
const folders = new Map<string, string>();
let registered = false;

/** Makes `@lyceum/module/<id>` lead to the `api` file of this folder. */
export function announceModuleFolder(id: string, folder: string): void {
  folders.set(id, folder);
}

/**
 * Lets every file, wherever it lies, import the door and other modules' apis with nothing installed beside it.
 * A package's own `node_modules` are resolved as always.
 */
export function registerResolveHooks(): void {
  if (registered) return;
  registered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const door = core.get(specifier);
      if (door) return { url: door, shortCircuit: true };
      if (!specifier.startsWith(modulePrefix)) return nextResolve(specifier, context);
      const api = apiFile(specifier.slice(modulePrefix.length));
      return { url: pathToFileURL(api).href, shortCircuit: true };
    },
  });
}

function apiFile(id: string): string {
  const folder = folders.get(id);
  if (!folder) throw new Error(`No module "${id}" is installed, so ${modulePrefix}${id} leads nowhere.`);
  const file = ['api.js', 'api.ts'].map((name) => path.join(folder, name)).find((name) => existsSync(name));
  if (!file) throw new Error(`The module "${id}" offers no api file to other modules.`);
  return file;
}
