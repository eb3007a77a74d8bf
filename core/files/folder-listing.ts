import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { nullIfAbsent } from './disk.ts';

interface Place {
  /** A path on this machine. */
  readonly path: string;
  readonly key: string;
}

/**
 * The files in `folder` and below it, with keys that begin with `key` (empty for none). Hidden entries,
 * links and what vanishes meanwhile are left out. Memory grows with the folders on the way, not the files.
 */
export async function* listFiles(
  folder: string,
  key: string,
): AsyncGenerator<{ key: string; bytes: number }, void, undefined> {
  const waiting: Place[] = [{ path: folder, key }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for await (const entry of entriesOf(place)) {
      if (entry.isFolder) {
        waiting.push(entry);
        continue;
      }
      const facts = await nullIfAbsent(stat(entry.path));
      if (facts !== null) yield { key: entry.key, bytes: facts.size };
    }
  }
}

async function* entriesOf(place: Place): AsyncGenerator<Place & { isFolder: boolean }, void, undefined> {
  const entries = await nullIfAbsent(opendir(place.path));
  if (entries === null) return;
  for await (const entry of entries) {
    if (entry.name.startsWith('.') || !(entry.isFile() || entry.isDirectory())) continue;
    const key = place.key === '' ? entry.name : `${place.key}/${entry.name}`;
    yield { path: path.join(place.path, entry.name), key, isFolder: entry.isDirectory() };
  }
}
