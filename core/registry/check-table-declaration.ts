import { isPlainObject } from '../api/schema.ts';

const tableName = /^[a-z][a-z0-9_]{1,62}$/;
const reference = /^(?:post|term|attachment|user|module:[a-z][a-z0-9_]{1,62})$/;
const keys = new Set(['copy', 'refs', 'fresh', 'with', 'files']);
const fileKeys = new Set(['keys', 'folder']);
/** Segments of a storage key, or of columns in braces; nothing that could lead out of the site's folder. */
const folderForm = /^(?:(?:[A-Za-z0-9_-]+|\{[a-z][a-z0-9_]*\})(?:\/|$))+$/;

/** What is wrong with the declaration of a table: the field below it and the mend; null when nothing is. */
export function tableFault(
  name: string,
  row: Readonly<Record<string, unknown>>,
): readonly [field: string, mend: string] | null {
  if (!tableName.test(name)) return ['', `must match ${tableName.source}.`];
  const unknown = Object.keys(row).find((key) => !keys.has(key));
  if (unknown) return [`.${unknown}`, 'is no key of a table; remove it.'];
  if (row.copy !== 'none' && row.copy !== 'rows') return ['.copy', 'must be "none" or "rows".'];
  if (row.with !== undefined && row.with !== 'modules' && row.with !== 'files') {
    return ['.with', 'must be "modules" or "files".'];
  }
  if (row.fresh !== undefined && !isColumns(row.fresh)) return ['.fresh', 'must be an array of columns.'];
  return refsFault(row.refs) ?? filesFault(row.files);
}

const isColumns = (given: unknown): boolean =>
  Array.isArray(given) && given.every((column) => typeof column === 'string');

function refsFault(refs: unknown): readonly [string, string] | null {
  if (refs === undefined) return null;
  if (!isPlainObject(refs)) return ['.refs', 'must be an object.'];
  const wrong = Object.entries(refs).find(([, word]) => !reference.test(String(word)));
  return wrong ? [`.refs.${wrong[0]}`, 'must be post, term, attachment, user or module:<table>.'] : null;
}

function filesFault(files: unknown): readonly [string, string] | null {
  if (files === undefined) return null;
  if (!isPlainObject(files)) return ['.files', 'must be an object.'];
  const unknown = Object.keys(files).find((key) => !fileKeys.has(key));
  if (unknown) return [`.files.${unknown}`, 'is no key of it; remove it.'];
  if (!isColumns(files.keys ?? [])) return ['.files.keys', 'must be an array of columns.'];
  const folder = files.folder;
  if (folder === undefined || (typeof folder === 'string' && folderForm.test(folder))) return null;
  return ['.files.folder', 'must be segments like "packages/{id}".'];
}
