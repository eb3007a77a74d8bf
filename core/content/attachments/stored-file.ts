import { randomBytes } from 'node:crypto';
import { CodedError, isCoded } from '../../api/errors.ts';
import { extensionOf } from '../../files/file-name.ts';
import type { Storage } from '../../files/storage.ts';
import { sanitizeSlug } from '../slug.ts';
import type { ExaminedFile, LocalFile } from './examine-file.ts';

/** Longest part of a file's name that becomes part of its address. */
const longestBase = 100;

/** Where an attachment's file lies, and where it is served. */
export interface FilePlace {
  /** In the storage; new for every file, so that nothing is ever overwritten. */
  readonly file_key: string;
  /** Below the site's `/files/`; outlives the file behind it. */
  readonly path: string;
}

/** Makes both from what the host knows: 128 random bits, the content's hash, and the name as a mere label. */
export function newFilePlace(
  blogId: number,
  file: Pick<ExaminedFile, 'filename' | 'extension'>,
  sha256: string,
): FilePlace {
  const stem = file.filename.slice(0, -extensionOf(file.filename).length - 1);
  const base = sanitizeSlug(stem, longestBase) || 'file';
  const folder = `media/${randomBytes(16).toString('hex')}`;
  return {
    file_key: `sites/${blogId}/${folder}/${base}-${sha256.slice(0, 8)}.${file.extension}`,
    path: `${folder}/${base}.${file.extension}`,
  };
}

/**
 * Puts a local file into the storage.
 * @throws `storage_unavailable`; `rest_upload_incomplete` when the signal ends it
 */
export async function storeFile(
  storage: Storage,
  file: LocalFile,
  target: { readonly key: string; readonly contentType: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    await storage.take(target.key, file, { contentType: target.contentType, signal });
  } catch (error) {
    if (signal.aborted) throw new CodedError('rest_upload_incomplete', { cause: error });
    if (isCoded(error)) throw error;
    throw new CodedError('storage_unavailable', { cause: error });
  }
}
