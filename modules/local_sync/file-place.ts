import { createHash, randomBytes } from 'node:crypto';
import { extensionOf, sanitizeSlug } from '@lyceum/core';

/** First segment of the files of this module below `/files/`. */
export const folder = 'local';

const longestName = 60;

/**
 * Where a file of a project is served, below the folder: the same for the same content at the same path, so that a
 * plan knows it before the file is there.
 */
export function servedPlace(project: string, path: string, sha256: string): string {
  const owner = createHash('sha256').update(`${project}\0${path}`).digest('hex').slice(0, 16);
  const label = path.slice(path.lastIndexOf('/') + 1);
  const extension = extensionOf(label);
  const stem = extension === '' ? label : label.slice(0, -extension.length - 1);
  const name = sanitizeSlug(stem, longestName) || 'file';
  return `${owner}/${sha256}/${name}${extension === '' ? '' : `.${extension}`}`;
}

/** A new place in the storage, so that nothing is ever overwritten. */
export const newFileKey = (blogId: number): string =>
  `sites/${blogId}/${folder}/${randomBytes(16).toString('hex')}`;
