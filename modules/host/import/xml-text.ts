import { TextDecoder } from 'node:util';

/** Characters that no XML may have; exports of old sites do, and mean nothing by them. */
const forbidden = /[[\p{Cc}\ufffe\uffff]--[\t\n\r\x7f-\x9f]]/gv;

const declaration = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;

/** The encoding that the first bytes tell: a byte order mark, else the XML declaration, else UTF-8. */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return declaration.exec(head.subarray(0, 300).toString('latin1'))?.[1] ?? 'utf-8';
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
