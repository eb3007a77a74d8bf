const mostBytes = 255;

/** Whether this is the path of a file below the folder of its project. */
export function isPath(path: string): boolean {
  if (path === '' || /[\\\p{Cc}]/u.test(path) || !path.isWellFormed()) return false;
  if (Buffer.byteLength(path) > mostBytes) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '..');
}
