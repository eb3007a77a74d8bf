import { open } from 'node:fs/promises';
import { fail, type UploadedFile } from '@lyceum/core';
import type { StoredContent } from './content.ts';
import { type Target, writeContent } from './content-writer.ts';
import { findEntry } from './launch/find-entry.ts';
import { topFolderLength } from './strip-folder.ts';
import type { Archive, ArchivedFile } from './zip/archive.ts';
import type { ArchiveLimits } from './zip/limits.ts';
import { readArchive } from './zip/read-archive.ts';
import { readFile, Unpacked } from './zip/read-file.ts';

const longestManifest = 5 * 1024 * 1024;

/** The files by the paths that they get in the package. */
function filesByPath({ files }: Archive): ReadonlyMap<string, ArchivedFile> {
  const top = topFolderLength(files.map(({ path }) => path));
  return new Map(files.map((file) => [file.path.slice(top), file]));
}

/** The text of a small file; it does not count as unpacked, since it is unpacked again. */
async function textOf(archive: Archive, file: ArchivedFile, limits: ArchiveLimits): Promise<string | null> {
  if (file.bytes > longestManifest) return null;
  const pieces: Buffer[] = [];
  for await (const piece of readFile(archive, file, new Unpacked(archive, limits))) pieces.push(piece);
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/**
 * Unpacks an archive into the storage: first all headers are looked at, then what it begins with is found, and only
 * then a file is written. Bytes are counted as they come, whatever headers say.
 * @throws ArchiveProblem, `embed_packages_no_entry`, errors of the storage
 */
export async function writeZip(
  target: Target,
  upload: UploadedFile,
  limits: ArchiveLimits,
  wanted: string | null,
): Promise<StoredContent> {
  const file = await open(upload.path);
  try {
    const archive = await readArchive(file, limits);
    const files = filesByPath(archive);
    const entry = await findEntry(
      {
        paths: new Set(files.keys()),
        text: async (path) => {
          const found = files.get(path);
          return found ? textOf(archive, found, limits) : null;
        },
      },
      wanted,
    );
    if (entry === null) return fail('embed_packages_no_entry');
    const unpacked = new Unpacked(archive, limits);
    const news = [...files].map(([path, found]) => ({
      path,
      bytes: () => readFile(archive, found, unpacked),
    }));
    const written = await writeContent(target, news, entry);
    return { source: 'zip', place: target.place, entry, hash: upload.sha256, ...written };
  } finally {
    await file.close();
  }
}
