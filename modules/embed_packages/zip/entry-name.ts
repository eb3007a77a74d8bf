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
const unsafe = /^\/|^[a-z]:|[\\\u0000-\u001f\u007f-\u009f]|(?:^|\/)\.\.(?:\/|$)/i;

/** Segments that say nothing. */
const idle = /\/\/|(?:^|\/)\.(?:\/|$)/;

const tidy = (name: string): string =>
  name
    .split('/')
    .filter((segment, at, all) => (segment !== '' && segment !== '.') || at === all.length - 1)
    .join('/')
    .replace(/(^|\/)\.$/, '$1');

function hasLongSegment(name: string): boolean {
  for (let from = 0; from <= name.length; ) {
    const slash = name.indexOf('/', from);
    const to = slash < 0 ? name.length : slash;
    // A character has four bytes at most.
    if (to - from > longestSegment / 4 && Buffer.byteLength(name.slice(from, to)) > longestSegment)
      return true;
    from = to + 1;
  }
  return false;
}

/**
 * The path of an entry, with single slashes and without `.` segments; one of a folder ends with a slash.
 * @throws ArchiveProblem `unsafe_path`
 */
export function pathOf(entry: Entry): string {
  const name = decoded(entry);
  if (!name || unsafe.test(name) || Buffer.byteLength(name) > longestPath || hasLongSegment(name)) {
    return refuse('unsafe_path', shownName(entry));
  }
  // What is left of "./" is the folder that all lies in.
  return (idle.test(name) ? tidy(name) : name) || '/';
}

/** Equal for names that some file system takes for one. */
export const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase();
