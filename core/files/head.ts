import { open } from 'node:fs/promises';

/**
 * How much of an upload is looked at: 256 KiB. A type needs 4,100 bytes; the size of a photograph stands
 * behind its camera data, of which each block has up to 64 KiB.
 */
export const HEAD_BYTES = 256 * 1024;

/** The first bytes of a local file: `HEAD_BYTES` of them, or all of a shorter one. */
export async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export interface Peeked {
  /** The first bytes, at most as many as asked for; fewer only when the source is shorter. */
  readonly head: Uint8Array;
  /** The whole source again, head included. To be read once; who drops it must end the source himself. */
  readonly whole: AsyncIterable<Uint8Array>;
}

/** Reads the first `bytes` of a stream and gives them back together with the stream as if nobody had looked. */
export async function peekHead(source: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < bytes; ) {
    const step = await iterator.next();
    if (step.done === true) break;
    chunks.push(step.value);
    length += step.value.byteLength;
  }
  const head = Buffer.concat(chunks).subarray(0, bytes);
  return { head, whole: replay(chunks, iterator) };
}

async function* replay(
  chunks: Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) yield chunk;
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) yield step.value;
  } finally {
    await iterator.return?.();
  }
}
