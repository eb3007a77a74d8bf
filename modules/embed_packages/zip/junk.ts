const names = new Set(['.ds_store', 'thumbs.db']);

/** What file managers put into archives, and folders, which follow from their files. */
export function isJunk(path: string): boolean {
  if (path.endsWith('/') || path.startsWith('__MACOSX/')) return true;
  return names.has(path.slice(path.lastIndexOf('/') + 1).toLowerCase());
}
