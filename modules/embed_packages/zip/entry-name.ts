import { type Entry, getFileNameLowLevel } from 'yauzl';
import { refuse } from './archive-problem.ts';

const longestPath = 1024;
const longestSegment = 255;
const utf8Flag = 0x800;
const unicodePathField = 0x7075;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The name as its writer meant it; null when its bytes are none. */
function decoded({ fileNameRaw, generalPurposeBitFlag: flags, extraFields }: Entry): string | null {
  const isMarked = (flags & utf8Flag) !== 0;
  if (!isMarked && extraFields.some(({ id }) => id === unicodePathField)) {
    return getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  }
  try {
    // Archives of macOS are in UTF-8 and do not say so.
    return utf8.decode(fileNameRaw);
  } catch {
    return isMarked ? null : getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  }
}

/** A name for people: control characters and all, of a length that fits an answer. */
export const shownName = (entry: Entry): string =>
  (decoded(entry) ?? entry.fileNameRaw.toString('latin1')).slice(0, longestPath);

/** What leads out of a folder on some system, or means something else than it shows. */
const unsafe = /^\/|^[a-z]:|[\\\u0000-\u001f\u007f-\u009f]/i;

/**
 * The path of an entry, with single slashes and without `.` segments; one of a folder ends with a slash.
 * @throws ArchiveProblem `unsafe_path`
 */
export function pathOf(entry: Entry): string {
  const name = decoded(entry);
  if (name === null || unsafe.test(name) || Buffer.byteLength(name) > longestPath) {
    return refuse('unsafe_path', shownName(entry));
  }
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.some((segment) => segment === '..' || Buffer.byteLength(segment) > longestSegment)) {
    refuse('unsafe_path', name);
  }
  const isFolder = name.endsWith('/');
  if (segments.length === 0 && !isFolder) refuse('unsafe_path', name);
  return segments.join('/') + (isFolder ? '/' : '');
}

/** Equal for names that some file system takes for one. */
export const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase();
