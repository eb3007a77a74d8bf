import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isPlainObject } from '../api/schema.ts';
import { hostSteps } from '../db/host-tables.ts';
import type { Source } from '../registry/spec.ts';
import { hashOf, listFiles, UnfitFolder } from './package-files.ts';
import { candidateFolders, type FolderToRead } from './package-folders.ts';

/** The integer version of the door that this host offers. */
export const apiVersion = 1;

/** A package.json with a `lyceum` key, read before any code of the package. */
export interface FoundPackage {
  readonly id: string;
  readonly version: string;
  readonly api: number;
  readonly folder: string;
  readonly main: string;
  readonly source: Source;
  /** Of its files; `node_modules` and dot files left out. */
  readonly hash: string;
  /** Looks different when its dependencies were installed anew. */
  readonly dependencies: string;
  /** For a package that asked for a worker of its own: mebibytes of its heap. */
  readonly heapMb: number | null;
}

/** A folder that holds no usable package. `id` is known when package.json names one. */
export interface PackageFault {
  readonly folder: string;
  readonly source: Source;
  readonly id: string | null;
  readonly version: string;
  readonly hash: string;
  readonly code: 'manifest_missing' | 'manifest_invalid' | 'api_mismatch' | 'id_conflict' | 'load_failed';
  readonly message: string;
}

/** What lies in the folders now. */
export interface Found {
  readonly packages: readonly FoundPackage[];
  readonly faults: readonly PackageFault[];
  /** Folders of packages of which nothing could be known: what was served from below them goes on. */
  readonly unreadable: readonly FolderToRead[];
}

const lyceumKeys = new Set(['id', 'api', 'main', 'isolation', 'heapMb']);
const standardHeapMb = 256;
const idForm = /^[a-z][a-z0-9_]{1,40}$/;

/**
 * Reads every package of the given folders, in their order and in order of name.
 * @param owners folder of each id that is taken; else the first package keeps an id
 */
export async function findPackages(
  folders: readonly FolderToRead[],
  owners: ReadonlyMap<string, string>,
): Promise<Found> {
  const packages: FoundPackage[] = [];
  const faults: PackageFault[] = [];
  const unreadable: FolderToRead[] = [];
  const seen = new Set<string>();
  for (const root of folders) {
    const { source } = root;
    const candidates = await candidateFolders(root);
    if (candidates.folders === null) {
      unreadable.push(root);
      const message = `The folder cannot be read (${candidates.unreadable}); let the host read and enter it. What is loaded from it stays.`;
      faults.push({
        folder: root.folder,
        source,
        id: null,
        version: '',
        hash: '',
        code: 'load_failed',
        message,
      });
      continue;
    }
    // A folder may be reached by two ways, but holds one package.
    const fresh = candidates.folders.filter((folder) => !seen.has(folder));
    for (const folder of fresh) seen.add(folder);
    for (const one of await Promise.all(fresh.map((folder) => readPackage(folder, source)))) {
      if ('code' in one) faults.push(one);
      else packages.push(one);
    }
  }
  return { ...oneForEachId(packages, faults, owners), unreadable };
}

function oneForEachId(
  packages: readonly FoundPackage[],
  faults: readonly PackageFault[],
  owners: ReadonlyMap<string, string>,
): Pick<Found, 'packages' | 'faults'> {
  const present = new Set([...packages, ...faults].map(({ folder }) => folder));
  const keepers = new Map([...owners].filter(([, folder]) => present.has(folder)));
  const kept: FoundPackage[] = [];
  const refused: PackageFault[] = [];
  for (const found of packages) {
    const keeper = keepers.get(found.id) ?? found.folder;
    keepers.set(found.id, keeper);
    const { id, folder, source, version, hash } = found;
    if (keeper === folder) {
      kept.push(found);
      continue;
    }
    const message = `lyceum.id: "${id}" belongs to the package in ${keeper}; choose another id, or remove one of the two.`;
    refused.push({ folder, source, id, version, hash, code: 'id_conflict', message });
  }
  return { packages: kept, faults: [...faults, ...refused] };
}

/** npm writes this file last. */
async function dependencyStamp(folder: string): Promise<string> {
  const facts = await Promise.all(
    ['node_modules', 'node_modules/.package-lock.json'].map((name) =>
      stat(path.join(folder, name)).catch(() => null),
    ),
  );
  return facts.map((one) => one?.mtimeMs ?? '').join(' ');
}

/** Reads one folder as a package. */
export async function readPackage(folder: string, source: Source): Promise<FoundPackage | PackageFault> {
  let hash = '';
  const fault = (
    code: PackageFault['code'],
    message: string,
    id: string | null,
    version: string,
  ): PackageFault => ({ folder, source, id, version, hash, code, message });
  let text: string;
  try {
    text = await readFile(path.join(folder, 'package.json'), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return fault('manifest_missing', 'There is no package.json; add one.', null, '');
    return fault('load_failed', `package.json cannot be read (${code}); let the host read it.`, null, '');
  }
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    return fault('manifest_invalid', `package.json is no JSON: ${(error as Error).message}`, null, '');
  }
  if (!isPlainObject(manifest) || !isPlainObject(manifest.lyceum)) {
    return fault(
      'manifest_missing',
      'package.json has no "lyceum" key; add { "id", "api", "main" }.',
      null,
      '',
    );
  }
  const { lyceum } = manifest;
  const id = typeof lyceum.id === 'string' && idForm.test(lyceum.id) ? lyceum.id : null;
  const version = typeof manifest.version === 'string' ? manifest.version : '';
  const invalid = (message: string): PackageFault => fault('manifest_invalid', message, id, version);
  try {
    hash = await hashOf((await listFiles(folder)).files);
  } catch (error) {
    const why = error instanceof UnfitFolder ? error.message : `Its files cannot be read: ${String(error)}`;
    return fault('load_failed', why, id, version);
  }
  if (id === null) return invalid(`lyceum.id: must match ${idForm.source}.`);
  if (id === hostSteps) {
    const message = `lyceum.id: "${id}" is the host's own; choose another id.`;
    return fault('manifest_invalid', message, null, version);
  }
  if (version === '') return invalid('version: is missing in package.json; add "version": "1.0.0".');
  const unknown = Object.keys(lyceum).find((key) => !lyceumKeys.has(key));
  if (unknown) return invalid(`lyceum.${unknown}: is no key of the format; remove it.`);
  if (!Number.isInteger(lyceum.api))
    return invalid('lyceum.api: must be the integer version of the door, 1.');
  if (typeof lyceum.main !== 'string') return invalid('lyceum.main: must name the file of the declaration.');
  if (lyceum.api !== apiVersion) {
    const message = `lyceum.api: the package is written for version ${lyceum.api} of the door, this host offers ${apiVersion}.`;
    return fault('api_mismatch', message, id, version);
  }
  const main = path.resolve(folder, lyceum.main);
  if (!main.startsWith(folder + path.sep)) return invalid('lyceum.main: must lie inside the package.');
  if (!/\.(js|mjs|ts|mts)$/.test(main)) return invalid('lyceum.main: must be a .js or .ts file.');
  if (!(await stat(main).catch(() => null))?.isFile()) {
    const message = `lyceum.main: "${lyceum.main}" is not there; add the file or name another.`;
    return fault('load_failed', message, id, version);
  }
  const dependencies = await dependencyStamp(folder);
  const { isolation, heapMb = standardHeapMb } = lyceum;
  if (isolation !== undefined && isolation !== 'worker')
    return invalid('lyceum.isolation: must be "worker".');
  if (isolation === undefined && lyceum.heapMb !== undefined) {
    return invalid('lyceum.heapMb: goes with "isolation": "worker"; add that, or remove it.');
  }
  if (typeof heapMb !== 'number' || !Number.isInteger(heapMb) || heapMb < 64 || heapMb > 8192) {
    return invalid('lyceum.heapMb: must be an integer from 64 to 8192.');
  }
  return {
    ...{ id, version, api: apiVersion, folder, main, source, hash, dependencies },
    heapMb: isolation ? heapMb : null,
  };
}
