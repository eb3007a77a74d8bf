import { createReadStream } from 'node:fs';
import type { StoredContent } from './content.ts';
import { type Target, writeContent } from './content-writer.ts';

const entry = 'index.html';

/** Stores one HTML document as it is: the sandbox is what protects others from it. */
export async function writeHtml(
  target: Target,
  source: () => AsyncIterable<Uint8Array>,
  hash: string,
): Promise<StoredContent> {
  const written = await writeContent(target, [{ path: entry, bytes: source }], entry);
  return { source: 'html', place: target.place, entry, hash, ...written };
}

/** Bytes of a text. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, 'utf8');
}

/** Whoever reads it meets its error; before that nobody listens yet. */
export const fileAt = (path: string): AsyncIterable<Uint8Array> =>
  createReadStream(path).on('error', () => undefined);
