/** Enough to see how a file begins, white space and a comment included. */
const OPENING_BYTES = 4096;

/** Besides tab, line feed, vertical tab, form feed and return: the end mark of old systems and the escape of terminals. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b]);

/**
 * The text of a file's first bytes, without byte order mark: UTF-16 with a mark, else UTF-8, else an
 * 8-bit alphabet (read as windows-1252, which has a character for every byte). The head may end inside a
 * character. Null when it is no text: a NUL or another control character, or a broken UTF-16.
 */
export function decodeText(head: Uint8Array): string | null {
  const mark = markedEncoding(head);
  const text = mark === null ? (decode(head, 'utf-8') ?? decode(head, 'windows-1252')) : decode(head, mark);
  if (text === null) return null;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x7f || (code < 0x20 && !TEXT_CONTROLS.has(code))) return null;
  }
  return text;
}

function markedEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return null;
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** How the file begins, whatever it is: decoded, without white space and NULs in front, in lower case. */
export function opening(head: Uint8Array): string {
  const start = head.subarray(0, OPENING_BYTES);
  const text = new TextDecoder(markedEncoding(start) ?? 'utf-8').decode(start);
  let from = 0;
  while (from < text.length && (text.charCodeAt(from) === 0 || text.charAt(from).trim() === '')) from += 1;
  return text.slice(from).toLowerCase();
}
