import { createHash } from 'node:crypto';
import { fileType } from '../file-type.ts';
import { type ItemProblem, itemError } from '../item-errors.ts';
import { isPath } from '../manifest/check-path.ts';
import type { FileEntry } from '../manifest/entries.ts';
import type { FileResult } from './file-result.ts';

/** What is to be done with a file of a manifest. */
export interface PlannedFile {
  readonly entry: FileEntry;
  readonly action: FileResult['action'];
  readonly problem: ItemProblem | null;
  /** Its content and the type of that, where it is to be stored and was sent. */
  readonly content: { readonly bytes: Buffer; readonly mime: string } | null;
}

/** @param present hash of the content that the path has in the project; null for none */
export async function planFile(entry: FileEntry, present: string | null): Promise<PlannedFile> {
  const { path, sha256, content_base64 } = entry;
  const failed = (problem: ItemProblem): PlannedFile => ({ entry, action: 'error', problem, content: null });
  if (!isPath(path)) return failed('bad_path');
  const bytes = content_base64 === undefined ? null : Buffer.from(content_base64, 'base64');
  if (bytes && createHash('sha256').update(bytes).digest('hex') !== sha256) return failed('hash_mismatch');
  if (present === sha256) return { entry, action: 'unchanged', problem: null, content: null };
  const action = present === null ? 'create' : 'update';
  if (!bytes) return { entry, action, problem: null, content: null };
  const mime = await fileType(path, bytes);
  if (mime === null) return failed('type_not_allowed');
  return { entry, action, problem: null, content: { bytes, mime } };
}

/** @param url where its content is served; null as long as it is not */
export function fileResult({ entry, action, problem, content }: PlannedFile, url: string | null): FileResult {
  const written = action === 'create' || action === 'update';
  return {
    path: entry.path,
    action,
    needs_content: written && content === null && url === null,
    url,
    error: problem && itemError(problem),
  };
}
