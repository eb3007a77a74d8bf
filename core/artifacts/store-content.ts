import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { extensionOf } from '../files/file-name.ts';
import { mimeOfExtension } from '../files/mime-types.ts';
import type { Storage } from '../files/storage.ts';
import { treeEntry } from './artifact.ts';
import { plainFile } from './artifact-place.ts';

/** Content on this machine: a file, a text, or a folder with all in it. */
export type LocalContent =
  | { readonly file: string }
  | { readonly bytes: Buffer }
  | { readonly folder: string };

interface Written {
  readonly bytes: number;
  readonly hash: string;
}

/** No one file may be larger; a wrong size is found by whoever probed it. */
const mostBytes = 2 ** 50;

/**
 * Streams content below a place of the storage: how many bytes, and the hash for its name.
 * @param name of the artifact, whose extension a single file keeps
 */
export async function storeContent(
  storage: Storage,
  folder: string,
  { content, name }: { readonly content: LocalContent; readonly name: string },
  signal: AbortSignal,
): Promise<Written> {
  if ('folder' in content) return storeTree(storage, folder, content.folder, signal);
  const source = 'bytes' in content ? bytesOf(content.bytes) : sourceOf(content.file);
  const options = { limit: mostBytes, contentType: mimeOfExtension(extensionOf(name)), signal };
  const stored = await storage.write(`${folder}/${plainFile(name)}`, source, options);
  return { bytes: stored.bytes, hash: stored.sha256.slice(0, 8) };
}

/** Whoever reads it meets its error; before that nobody listens yet. */
const sourceOf = (file: string) => createReadStream(file).on('error', () => undefined);

async function* bytesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The file that a tree is entered by comes last: whoever sees it sees all. */
async function storeTree(
  storage: Storage,
  folder: string,
  local: string,
  signal: AbortSignal,
): Promise<Written> {
  const found = await readdir(local, { recursive: true, withFileTypes: true });
  const names = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(local, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort((a, b) => Number(a === treeEntry) - Number(b === treeEntry) || (a < b ? -1 : 1));
  if (names.at(-1) !== treeEntry) throw new Error(`A tree of files has no ${treeEntry}.`);
  const hash = createHash('sha256');
  let bytes = 0;
  for (const name of names) {
    const options = { limit: mostBytes, contentType: mimeOfExtension(extensionOf(name)), signal };
    const source = sourceOf(path.join(local, name));
    const stored = await storage.write(`${folder}/${name}`, source, options);
    hash.update(`${name} ${stored.sha256}\n`);
    bytes += stored.bytes;
  }
  return { bytes, hash: hash.digest('hex').slice(0, 8) };
}
