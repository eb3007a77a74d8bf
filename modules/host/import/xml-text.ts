import { TextDecoder } from 'node:util';

/** Characters that no XML may have; exports of old sites do, and mean nothing by them. */
const forbidden = /[[\p{Cc}\ufffe\uffff]--[\t\n\r\x7f-\x9f]]/gv;

const declaration = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;

/** The encoding that the first bytes tell: a byte order mark, else the XML declaration, else UTF-8. */
function encodingOf(head: Buffer): string {
  const begins = (...bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);
  // Without a mark UTF-16 shows by the "<" that every file begins with.
  if (begins(0xff, 0xfe) || begins(0x3c, 0)) return 'utf-16le';
  if (begins(0xfe, 0xff) || begins(0, 0x3c)) return 'utf-16be';
  const declared = declaration.exec(head.subarray(0, 300).toString('latin1'))?.[1] ?? 'utf-8';
  // Whatever was turned into another encoding may still say so, but not in these bytes.
  return /^utf-?16|^ucs-?2/i.test(declared) ? 'utf-8' : declared;
}

function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder('utf-8');
  }
}

/** The text of an XML file, piece by piece, without the characters that XML forbids. */
export async function* xmlText(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const chunk of source) {
    decoder ??= decoderFor(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true }).replace(forbidden, '');
  }
  if (decoder) yield decoder.decode().replace(forbidden, '');
}
