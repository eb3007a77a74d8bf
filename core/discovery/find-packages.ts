import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isPlainObject } from '../api/schema.ts';
import type { Source } from '../registry/spec.ts';

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
}

/** A folder that holds no usable package. `id` is known when package.json names one. */
export interface PackageFault {
  readonly folder: string;
  readonly id: string | null;
  readonly version: string;
  readonly code: 'manifest_missing' | 'manifest_invalid' | 'api_mismatch';
  readonly message: string;
}

export interface FolderToRead {
  readonly folder: string;
  readonly source: Source;
}

const lyceumKeys = new Set(['id', 'api', 'main']);
const idForm = /^[a-z][a-z0-9_]{1,40}$/;

/** Every sub-folder of the given folders, in order of name, as a package or as a fault. */
export async function findPackages(
  folders: readonly FolderToRead[],
): Promise<{ packages: FoundPackage[]; faults: PackageFault[] }> {
  const packages: FoundPackage[] = [];
  const faults: PackageFault[] = [];
  for (const { folder, source } of folders) {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map((entry) => entry.name)
      .sort();
    const read = await Promise.all(names.map((name) => readPackage(path.join(folder, name), source)));
    for (const one of read) {
      if ('code' in one) faults.push(one);
      else packages.push(one);
    }
  }
  return { packages, faults };
}

async function readPackage(folder: string, source: Source): Promise<FoundPackage | PackageFault> {
  const fault = (
    code: PackageFault['code'],
    message: string,
    id: string | null,
    version: string,
  ): PackageFault => ({
    folder,
    id,
    version,
    code,
    message,
  });
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return fault('manifest_missing', 'There is no package.json; add one.', null, '');
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
  if (id === null) return invalid(`lyceum.id: must match ${idForm.source}.`);
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
  return { id, version, api: apiVersion, folder, main, source };
}
