import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isPlainObject } from '../api/schema.ts';
import type { Source } from '../registry/spec.ts';

/**
 * Where packages are looked for: sub-folders of `folder`, or `folder` itself when it is a package. With source
 * `package`: the dependencies that the package.json of `folder` names.
 */
export interface FolderToRead {
  readonly folder: string;
  readonly source: Source;
  /** Whether changes in it are noticed without a rescan. */
  readonly watched: boolean;
}

/** Folders that may be packages, in order of name; or why there is nothing to be known of them. */
export type Candidates =
  | { readonly folders: readonly string[]; readonly unreadable: null }
  | { readonly folders: null; readonly unreadable: string };

/** Links are followed: a package under development is often linked into the folder. */
export async function candidateFolders({ folder, source }: FolderToRead): Promise<Candidates> {
  try {
    const folders = source === 'package' ? await dependencies(folder) : await subFolders(folder);
    return { folders, unreadable: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { folders: null, unreadable: code ?? `package.json: ${message}` };
  }
}

async function subFolders(folder: string): Promise<string[]> {
  if (await isPackage(folder)) return [await realpath(folder)];
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.map(({ name }) => name).filter((name) => !name.startsWith('.'));
  const found = await Promise.all(
    names
      .filter((name) => name !== 'node_modules')
      .sort()
      .map((name) => realFolder(path.join(folder, name))),
  );
  return found.filter((one) => one !== null);
}

/** Null for a file, and for a link that leads nowhere. */
async function realFolder(candidate: string): Promise<string | null> {
  const facts = await stat(candidate).catch(() => null);
  return facts?.isDirectory() ? realpath(candidate) : null;
}

/** @throws when there is a package.json of which that cannot be told */
async function isPackage(folder: string): Promise<boolean> {
  const file = path.join(folder, 'package.json');
  if (!(await stat(file).catch(() => null))?.isFile()) return false;
  const manifest: unknown = JSON.parse(await readFile(file, 'utf8'));
  return isPlainObject(manifest) && isPlainObject(manifest.lyceum);
}

/** Installed dependencies that are modules; all others are none of the host's business. */
async function dependencies(folder: string): Promise<string[]> {
  const manifest: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const named = isPlainObject(manifest) ? [manifest.dependencies, manifest.optionalDependencies] : [];
  const names = named.flatMap((table) => (isPlainObject(table) ? Object.keys(table) : [])).sort();
  const found = await Promise.all(
    names.map(async (name) => {
      const candidate = await realFolder(path.join(folder, 'node_modules', name));
      const isOne = candidate !== null && (await isPackage(candidate).catch(() => false));
      return isOne ? [candidate] : [];
    }),
  );
  return [...new Set(found.flat())];
}
