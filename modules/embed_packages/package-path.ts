import { extensionOf } from '@lyceum/core';

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The lower-case extension of a file in a package, without dot; empty without one. */
export const extensionAt = (path: string): string => extensionOf(baseName(path));

/** True for what can be a page of its own. */
export const isDocument = (path: string): boolean => ['html', 'htm'].includes(extensionAt(path));

/** The file's name without its extension. */
export function stemOf(path: string): string {
  const name = baseName(path);
  const extension = extensionOf(name);
  return extension === '' ? name : name.slice(0, -extension.length - 1);
}
