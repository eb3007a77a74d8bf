import { refuse } from './archive-problem.ts';
import { foldedPath } from './entry-name.ts';

/**
 * Each path once, whatever a file system thinks of upper and lower case, and none that is a file and a folder.
 * @param paths those of folders end with a slash; they may come as often as they like
 * @throws ArchiveProblem `duplicate`
 */
export function checkNames(paths: readonly string[]): void {
  const files = new Set<string>();
  for (const path of paths) {
    if (path.endsWith('/')) continue;
    const folded = foldedPath(path);
    if (files.has(folded)) refuse('duplicate', path);
    files.add(folded);
  }
  for (const path of paths) {
    const folded = foldedPath(path);
    for (let at = folded.indexOf('/'); at >= 0; at = folded.indexOf('/', at + 1)) {
      if (files.has(folded.slice(0, at))) refuse('duplicate', path);
    }
  }
}
