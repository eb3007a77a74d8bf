/** The folder in the archive that only this kind of document has. */
const FOLDERS: Readonly<Record<string, string>> = { docx: 'word/', xlsx: 'xl/', pptx: 'ppt/' };

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');
const NAME_OFFSET = 30;

/** True when the bytes are a zip archive, also an empty or a split one. */
export function isZip(head: Uint8Array): boolean {
  const mark = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 4)).toString('latin1');
  return mark === 'PK\x03\x04' || mark === 'PK\x05\x06' || mark === 'PK\x07\x08';
}

/**
 * True when the head of a zip archive may be the start of this kind of office document: it shows the
 * folder of the kind, or the list of content types and no folder of another kind.
 * @param extension `docx`, `xlsx` or `pptx`
 */
export function mayBeOffice(head: Uint8Array, extension: string): boolean {
  let contentTypes = false;
  for (const name of entryNames(head)) {
    const kind = Object.keys(FOLDERS).find((key) => name.startsWith(FOLDERS[key] ?? name));
    if (kind !== undefined) return kind === extension;
    if (name === '[Content_Types].xml') contentTypes = true;
  }
  return contentTypes && Object.hasOwn(FOLDERS, extension);
}

/** The names of the archive's entries, as far as the head shows them. */
function* entryNames(head: Uint8Array): Generator<string, void, undefined> {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  for (let at = bytes.indexOf(LOCAL_HEADER); at !== -1; at = bytes.indexOf(LOCAL_HEADER, at + 4)) {
    if (at + NAME_OFFSET > bytes.byteLength) return;
    const length = bytes.readUInt16LE(at + 26);
    yield bytes.toString('latin1', at + NAME_OFFSET, at + NAME_OFFSET + Math.min(length, 64));
  }
}
