import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

const core = new Map([
  ['@lyceum/core', new URL('../api/index.ts', import.meta.url).href],
  ['@lyceum/core/testing', new URL('../testing/index.ts', import.meta.url).href],
]);

const modulePrefix = '@lyceum/module/';

/**
 * The code of one package as it was at one moment. Node keeps every ES module that it loaded, by its address, so
 * newer code of the same files gets addresses with a number: `module.js?lyceum=3`. The first copy has none.
 */
export interface CodeCopy {
  readonly folder: string;
  readonly number: number | null;
}

/** Copies by module id: where `@lyceum/module/<id>` leads. */
export type Copies = ReadonlyMap<string, CodeCopy>;

/** What is served now; asked by code without a number. */
let announced: Copies = new Map();

/** Numbered copies, each with those that it was loaded beside. */
const numbered = new Map<number, { readonly copy: CodeCopy; readonly beside: Copies }>();

/** Hash of the files of which the first copy of a folder was made; empty when that failed. */
const firstCopies = new Map<string, string>();
let registered = false;
let lastNumber = 0;

/** Makes `@lyceum/module/<id>` lead to these copies from now on. */
export function announceCopies(copies: Copies): void {
  announced = new Map([...announced, ...copies]);
}

/** Folder of each module that is served, by id. */
export const announcedFolders = (): ReadonlyMap<string, string> =>
  new Map([...announced].map(([id, { folder }]) => [id, folder]));

/**
 * The copy under which these files can be loaded: the first one of the process while the files are what they were.
 * @param anew a further copy in any case
 */
export function copyOf(folder: string, hash: string, anew: boolean): CodeCopy {
  const first = firstCopies.get(folder);
  if (!anew && (first === undefined || first === hash)) {
    firstCopies.set(folder, hash);
    return { folder, number: null };
  }
  // CommonJS files have no number: what they were is forgotten.
  for (const file of Object.keys(require.cache)) if (liesIn(folder, file)) delete require.cache[file];
  lastNumber += 1;
  return { folder, number: lastNumber };
}

/** The copy did not load: Node would give the same failure again for the same address. */
export function spoilCopy({ folder, number }: CodeCopy): void {
  if (number === null) firstCopies.set(folder, '');
}

/** Enters numbered copies together, so that each sees the others and, besides, what is announced now. */
export function enterCopies(copies: Copies): void {
  const beside = new Map([...announced, ...copies]);
  for (const copy of copies.values()) if (copy.number !== null) numbered.set(copy.number, { copy, beside });
}

/** Address of a file of the copy. */
export function addressIn(copy: CodeCopy, file: string): string {
  const { href } = pathToFileURL(file);
  return copy.number === null ? href : `${href}?lyceum=${copy.number}`;
}

const numberIn = (address: string): number | null => {
  const found = /[?&]lyceum=(\d+)$/.exec(address);
  return found ? Number(found[1]) : null;
};

/** True for a file of the package itself, not of its dependencies. */
const liesIn = (folder: string, file: string): boolean =>
  file.startsWith(folder + path.sep) && !file.slice(folder.length).split(path.sep).includes('node_modules');

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
      const number = context.parentURL === undefined ? null : numberIn(context.parentURL);
      const parent = number === null ? undefined : numbered.get(number);
      if (specifier.startsWith(modulePrefix)) {
        const url = apiAddress(specifier.slice(modulePrefix.length), parent?.beside);
        return { url, shortCircuit: true };
      }
      const resolved = nextResolve(specifier, context);
      const url = parent ? numberedAddress(resolved.url, parent.copy) : resolved.url;
      const isCommonJs = resolved.format === 'commonjs' && context.conditions.includes('import');
      if (isCommonJs && numberIn(url) !== null) runCommonJs(fileURLToPath(url));
      return { ...resolved, url };
    },
    load(url, context, nextLoad) {
      // Node itself strips no types below node_modules, but a dependency may well be a module in TypeScript.
      if (!/^file:.*\/node_modules\/.*\.m?ts(\?|$)/.test(url)) return nextLoad(url, context);
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

/** The address of a file of the copy; all others are what they are. */
function numberedAddress(url: string, { folder, number }: CodeCopy): string {
  if (!url.startsWith('file:') || numberIn(url) !== null || !liesIn(folder, fileURLToPath(url))) return url;
  return `${url}${url.includes('?') ? '&' : '?'}lyceum=${number}`;
}

/** Node would import an empty object from a file that was forgotten, unless it was required again before. */
function runCommonJs(file: string): void {
  try {
    require(file);
  } catch {
    // The import fails in its turn, with the words of Node.
  }
}

/** @param beside what numbered code was loaded beside */
function apiAddress(id: string, beside: Copies | undefined): string {
  const copy = beside ? beside.get(id) : (announced.get(id) ?? builtinCopies().get(id));
  if (!copy || !existsSync(copy.folder))
    throw new Error(`No module "${id}" is installed, so ${modulePrefix}${id} leads nowhere.`);
  const file = ['api.js', 'api.ts'].map((name) => path.join(copy.folder, name)).find(existsSync);
  if (!file) throw new Error(`The module "${id}" offers no api file to other modules.`);
  return addressIn(copy, file);
}

let builtin: Copies | null = null;

/** Modules that come with the host, for who imports their apis before any host was started: test files. */
function builtinCopies(): Copies {
  if (builtin) return builtin;
  const folder = path.resolve(import.meta.dirname, '../../modules');
  const found = new Map<string, CodeCopy>();
  for (const name of readdirSync(folder)) {
    const manifest = path.join(folder, name, 'package.json');
    if (!existsSync(manifest)) continue;
    const { lyceum } = JSON.parse(readFileSync(manifest, 'utf8')) as { lyceum?: { id?: string } };
    if (lyceum?.id) found.set(lyceum.id, { folder: path.join(folder, name), number: null });
  }
  builtin = found;
  return found;
}
