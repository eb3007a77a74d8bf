import { detectContentType, extensionOf, mimeOfExtension } from '@lyceum/core';

const families = /^(?:image|font|audio|video)\//;
const others: ReadonlySet<string> = new Set([
  ...['text/css', 'text/javascript', 'text/plain', 'text/csv', 'text/tab-separated-values', 'text/markdown'],
  ...['text/vtt', 'application/x-subrip', 'application/json', 'application/manifest+json', 'application/pdf'],
  'application/vnd.ms-fontobject',
]);

const isTaken = (mime: string): boolean => families.test(mime) || others.has(mime);

/** Types that no upload of a person has, and what their content must be to have them. */
const ofTools: ReadonlyMap<string, 'txt' | 'json'> = new Map([
  ['css', 'txt'],
  ['js', 'txt'],
  ['mjs', 'txt'],
  ['map', 'json'],
  ['webmanifest', 'json'],
]);

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

/** The type of a file by its whole content and the name that must agree with it; null for types that are not taken. */
export async function fileType(path: string, bytes: Buffer): Promise<string | null> {
  const extension = extensionOf(path.slice(path.lastIndexOf('/') + 1));
  const mime = mimeOfExtension(extension);
  // An empty text is one.
  if (bytes.byteLength === 0) return mime.startsWith('text/') && isTaken(mime) ? mime : null;
  const kind = ofTools.get(extension) ?? extension;
  const type = await detectContentType(bytes, kind);
  if (type === null || (kind === 'json' && !isJson(bytes))) return null;
  const found = kind === extension ? type.mime : mime;
  return isTaken(found) ? found : null;
}
