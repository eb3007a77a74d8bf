import type { Entry, LocalFileHeader } from 'yauzl';
import { type ArchiveReason, refuse } from './archive-problem.ts';
import { shownName } from './entry-name.ts';

/** Plain, strong, and hidden headers. */
const encryptionFlags = 0x0001 | 0x0040 | 0x2000;
const aesMethod = 99;
/** Sizes and checksum stand behind the data, and in the directory. */
const descriptorFlag = 0x0008;
const inZip64 = 0xffffffff;

/** File types of Unix that are neither a file, a folder nor nothing. */
const fileTypes = 0xf000;
const harmlessTypes = new Set([0, 0x8000, 0x4000]);

/** @throws ArchiveProblem `encrypted`, `link`, `unsupported_method`, `not_zip` */
export function checkEntry(entry: Entry): void {
  const { generalPurposeBitFlag: flags, compressionMethod: method } = entry;
  const is = (reason: ArchiveReason): never => refuse(reason, shownName(entry));
  if ((flags & encryptionFlags) !== 0 || method === aesMethod) is('encrypted');
  if (!harmlessTypes.has((entry.externalFileAttributes >>> 16) & fileTypes)) is('link');
  if (method !== 0 && method !== 8) is('unsupported_method');
  if (method === 0 && entry.compressedSize !== entry.uncompressedSize) is('not_zip');
}

/** Whether a value of the local header says what the directory does. */
const agrees = (local: number, central: number, isBehind: boolean): boolean =>
  local === central || local === inZip64 || (isBehind && local === 0);

/**
 * What programs read that do not look at the directory must be the same.
 * @throws ArchiveProblem `not_zip`, `encrypted`
 */
export function checkLocal(entry: Entry, local: LocalFileHeader): void {
  const flags = local.generalPurposeBitFlag;
  if ((flags & encryptionFlags) !== 0) refuse('encrypted', shownName(entry));
  const isBehind = (flags & descriptorFlag) !== 0;
  const isSame =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    agrees(local.crc32, entry.crc32, isBehind) &&
    agrees(local.compressedSize, entry.compressedSize, isBehind) &&
    agrees(local.uncompressedSize, entry.uncompressedSize, isBehind);
  if (!isSame) refuse('not_zip', shownName(entry));
}
