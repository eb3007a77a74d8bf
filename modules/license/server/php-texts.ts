const array = 'a:';
const text = 's:';

/** Reads a PHP-serialized array of texts by names, as license servers send sections; null for anything else. */
export function readPhpTexts(serialized: string): ReadonlyMap<string, string> | null {
  const bytes = Buffer.from(serialized);
  const start = bytes.indexOf('{');
  if (!serialized.startsWith(array) || start < 0 || start > 12) return null;
  const found = new Map<string, string>();
  let at = start + 1;
  while (bytes[at] !== 0x7d) {
    const name = readText(bytes, at);
    const value = name && readText(bytes, name.end);
    if (!name || !value) return null;
    found.set(name.text, value.text);
    at = value.end;
  }
  return found;
}

/** `s:<bytes>:"<text>";` */
function readText(bytes: Buffer, at: number): { readonly text: string; readonly end: number } | null {
  const colon = bytes.indexOf(':', at + text.length);
  if (bytes.subarray(at, at + text.length).toString() !== text || colon < 0 || colon - at > 12) return null;
  const length = Number(bytes.subarray(at + text.length, colon).toString());
  const from = colon + 2;
  const end = from + length + 2;
  if (!Number.isInteger(length) || length < 0 || end > bytes.length) return null;
  return { text: bytes.subarray(from, from + length).toString(), end };
}
