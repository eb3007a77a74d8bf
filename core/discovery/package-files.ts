import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A package with more is no package but somebody's data: it would be read again and again. */
export const mostFiles = 10_000;
export const mostBytes = 256 * 1024 * 1024;

/** A file's times tell changes apart only when they lie that far back: a clock tick has up to 10 ms. */
const settledMs = 2_000;

export interface PackageFile {
  /** From the package's folder, with `/`. */
  readonly path: string;
  readonly file: string;
  readonly size: number;
  readonly changedMs: number;
  readonly modifiedMs: number;
}

/** What makes a package unfit to be read, in words for its author. */
export class UnfitFolder extends Error {}

/** Left out of what a package is: its dependencies, and what editors and version control keep beside it. */
const isLeftOut = (name: string): boolean => name === 'node_modules' || name.startsWith('.');

/**
 * The files of a package and the folders they lie in. Links to files count as the files; linked folders lie outside
 * of the package, as they do for Node, and could lead in circles.
 */
export async function listFiles(
  folder: string,
): Promise<{ readonly files: readonly PackageFile[]; readonly folders: readonly string[] }> {
  const files: PackageFile[] = [];
  const folders: string[] = [];
  let bytes = 0;
  const walk = async (at: string, prefix: string): Promise<void> => {
    folders.push(at);
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isLeftOut(entry.name)) continue;
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) {
        await walk(file, `${prefix}${entry.name}/`);
        continue;
      }
      // A link that leads nowhere, or a file that was just removed.
      const facts = await stat(file).catch(() => null);
      if (!facts?.isFile()) continue;
      bytes += facts.size;
      const { size, ctimeMs: changedMs, mtimeMs: modifiedMs } = facts;
      files.push({ path: prefix + entry.name, file, size, changedMs, modifiedMs });
      if (files.length > mostFiles || bytes > mostBytes) {
        throw new UnfitFolder(
          `The folder has more than ${mostFiles} files or ${mostBytes / 1024 / 1024} MiB beside node_modules; keep data elsewhere.`,
        );
      }
    }
  };
  await walk(folder, '');
  return { files, folders };
}

/** Digests by file, and what they are digests of; a rescan reads only files that look different. */
const known = new Map<string, { readonly stamp: string; readonly digest: string }>();

async function digestOf({ file, size, changedMs, modifiedMs }: PackageFile): Promise<string> {
  const stamp = `${size} ${changedMs} ${modifiedMs}`;
  const kept = known.get(file);
  if (kept?.stamp === stamp) return kept.digest;
  const content = await readFile(file).catch(() => Buffer.alloc(0));
  const digest = createHash('sha256').update(content).digest('base64url');
  if (Date.now() - changedMs > settledMs) known.set(file, { stamp, digest });
  else known.delete(file);
  return digest;
}

/** SHA-256 over names and contents of the files. */
export async function hashOf(files: readonly PackageFile[]): Promise<string> {
  const whole = createHash('sha256');
  for (let at = 0; at < files.length; at += 16) {
    const batch = files.slice(at, at + 16);
    const digests = await Promise.all(batch.map(digestOf));
    for (const [n, { path: name }] of batch.entries()) whole.update(`${name}\0${digests[n]}\0`);
  }
  return whole.digest('hex').slice(0, 32);
}
