/** Length of the one top folder that all files lie in, its slash included; 0 where there is none. */
export function topFolderLength(paths: readonly string[]): number {
  const [first = ''] = paths;
  const top = first.slice(0, first.indexOf('/') + 1);
  return top !== '' && paths.every((path) => path.startsWith(top)) ? top.length : 0;
}
