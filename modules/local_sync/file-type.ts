import { detectContentType, extensionOf, mimeOfExtension } from '@lyceum/core';

const families = /^(?:image|font|audio|video)\//;
const others: ReadonlySet<string> = new Set([
  ...['text/css', 'text/javascript', 'text/plain', 'text/csv', 'text/tab-separated-values', 'text/markdown'],
  ...['text/vtt', 'application/x-subrip', 'application/json', 'application/manifest+json', 'application/pdf'],
  'application/vnd.ms-fontobject',
]);

const isTaken = (mime: string): boolean => families.test(mime) || others.has(mime);

/** The type of a file by its whole content and the name that must agree with it; null for types that are not taken. */
export async function fileType(path: string, bytes: Uint8Array): Promise<string | null> {
  const extension = extensionOf(path.slice(path.lastIndexOf('/') + 1));
  if (bytes.byteLength === 0) {
    // An empty text is one.
    const mime = mimeOfExtension(extension);
    return mime.startsWith('text/') && isTaken(mime) ? mime : null;
  }
  const type = await detectContentType(bytes, extension);
  return type && isTaken(type.mime) ? type.mime : null;
}
