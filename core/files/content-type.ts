import { fileTypeFromBuffer } from 'file-type';
import { isMarkup, isProgram, isServerScript } from './active-content.ts';
import { agrees, ownExtension } from './file-families.ts';
import { mimeOfExtension, UNKNOWN_TYPE } from './mime-types.ts';
import { looksLikeMp3 } from './mp3.ts';
import { isZip, mayBeOffice } from './office-zip.ts';
import { decodeText } from './text-content.ts';
import { MARKUP_RULES, TEXT_RULES } from './text-rules.ts';

/** The decided type. `mime` without parameters; `extension` lower case, without dot. */
export interface ContentType {
  readonly mime: string;
  readonly extension: string;
}

interface Detected {
  readonly ext: string;
  readonly mime: string;
}

/**
 * Decides the type of an upload by its content, and whether the extension agrees. Null when they do not,
 * or when the content is nothing known: then the upload is refused. Programs and PHP are always refused;
 * HTML, SVG and XML only count where their own extension is asked for. Whether a site takes the extension
 * at all (`upload_filetypes`) is the caller's question.
 * @param head the first bytes, at least 4,100 where the file has as many; `HEAD_BYTES` is better for zip files
 * @param extension of the client's file name, as from `extensionOf`; empty: taken from the content, if
 *   that is a picture, sound, film, PDF or archive beyond doubt
 */
export async function detectContentType(head: Uint8Array, extension: string): Promise<ContentType | null> {
  if (head.byteLength === 0 || isProgram(head) || isServerScript(head)) return null;
  if (Object.hasOwn(MARKUP_RULES, extension)) return textType(head, extension, MARKUP_RULES[extension]);
  if (isMarkup(head)) return null;
  if (Object.hasOwn(TEXT_RULES, extension)) return plainType(head, extension);
  if (extension === 'mp3') return looksLikeMp3(head) ? known(extension) : null;
  if (extension === 'zip') return isZip(head) ? known(extension) : null;
  if (extension === '' && looksLikeMp3(head)) return known('mp3');
  const detected = await detect(head);
  const wanted = extension === '' && detected !== null ? ownExtension(detected.ext) : extension;
  if (detected === null || wanted === null || !fits(head, wanted, detected)) return null;
  return known(wanted, detected);
}

/** Text that begins like another format's signature is that format. */
function plainType(head: Uint8Array, extension: string): ContentType | null {
  const rule = TEXT_RULES[extension];
  return textType(head, extension, (text) => !/^(?:%PDF-|%!PS|\{\\rtf)/.test(text) && rule?.(text) === true);
}

function textType(
  head: Uint8Array,
  extension: string,
  rule: ((text: string) => boolean) | undefined,
): ContentType | null {
  const text = decodeText(head);
  return text !== null && rule?.(text) === true ? known(extension) : null;
}

function fits(head: Uint8Array, extension: string, { ext }: Detected): boolean {
  if (ext === 'zip' && extension !== 'zip') return mayBeOffice(head, extension);
  if (ext === 'heic' && extension === 'avif') return hasBrand(head, 'avif');
  if (!agrees(extension, ext)) return false;
  // The library looks at three letters, which a text may begin with too.
  return extension !== 'gif' || /^GIF8[79]a/.test(latin(head, 0, 6));
}

function known(extension: string, detected?: Detected): ContentType {
  const mime = mimeOfExtension(extension);
  if (mime !== UNKNOWN_TYPE || detected === undefined) return { mime, extension };
  return { mime: detected.mime.split(';')[0] ?? mime, extension };
}

async function detect(head: Uint8Array): Promise<Detected | null> {
  try {
    return (await fileTypeFromBuffer(head)) ?? null;
  } catch {
    // A file made to break the parser is of no known type.
    return null;
  }
}

/** True when the first box, `ftyp`, lists this brand among the compatible ones. */
function hasBrand(head: Uint8Array, brand: string): boolean {
  const box = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const end = Math.min(box.byteLength < 4 ? 0 : box.readUInt32BE(0), box.byteLength, 256);
  for (let at = 16; at + 4 <= end; at += 4) if (latin(head, at, at + 4) === brand) return true;
  return false;
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString('latin1');
}
