import { refuse } from './archive-problem.ts';
import { foldedPath } from './entry-name.ts';

/** Sorts a folder's content right behind a file of the same name. */
const folderMark = '\0';

const slash = 0x2f;

/** By bytes: replacing 500 slashes of a text takes fifty times as long. */
function keyOf(path: string): string {
  const bytes = Buffer.from(foldedPath(path), 'utf8');
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === slash) bytes[at] = 0;
  return bytes.toString('latin1');
}

/**
 * Each path once, whatever a file system thinks of upper and lower case, and none that is a file and a folder.
 * @param paths those of folders end with a slash; they may come as often as they like
 * @throws ArchiveProblem `duplicate`
 */
export function checkNames(paths: readonly string[]): void {
  // By sorting, and not by asking for all folders of each path: paths of 500 folders would take seconds.
  const keys = paths.map(keyOf).sort();
  for (let at = 1; at < keys.length; at += 1) {
    const [before = '', key = ''] = [keys[at - 1], keys[at]];
    if (before.endsWith(folderMark) || !key.startsWith(before)) continue;
    if (key.length > before.length && key[before.length] !== folderMark) continue;
    refuse('duplicate', paths.findLast((path) => keyOf(path) === key) ?? null);
  }
}
