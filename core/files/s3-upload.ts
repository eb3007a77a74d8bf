import { abortable } from './abortable.ts';
import { Meter } from './meter.ts';
import type { Connection } from './s3-client.ts';
import { MAX_PARTS, MultipartUpload, type Target } from './s3-multipart.ts';
import type { StoredFile, WriteOptions } from './storage.ts';

export interface UploadOptions extends WriteOptions {
  /** Bytes held in memory; S3 wants at least 5 MiB. */
  readonly partBytes: number;
}

/**
 * Uploads a stream of unknown length, holding one part in memory. What does not fill a part is put in one
 * request; the rest is a multipart upload, which is aborted on any failure.
 */
export async function upload(
  connection: Connection,
  target: Target,
  source: AsyncIterable<Uint8Array>,
  options: UploadOptions,
): Promise<Omit<StoredFile, 'key'>> {
  const { partBytes, contentType, signal } = options;
  const send = signal === undefined ? {} : { abortSignal: signal };
  const meter = new Meter(Math.min(options.limit, partBytes * MAX_PARTS));
  let multipart: MultipartUpload | null = null;
  try {
    for await (const part of inParts(abortable(source, signal), partBytes, meter)) {
      if (multipart === null && part.byteLength < partBytes) {
        const { client, sdk } = connection;
        await client.send(
          new sdk.PutObjectCommand({ ...target, Body: part, ContentType: contentType }),
          send,
        );
      } else if (part.byteLength > 0) {
        multipart ??= await MultipartUpload.begin(connection, target, contentType, send);
        await multipart.add(part, send);
      }
    }
    await multipart?.complete(send);
  } catch (error) {
    await multipart?.abort();
    // The SDK has an error of its own for an abort; the caller is promised the reason.
    signal?.throwIfAborted();
    throw error;
  }
  return meter.result();
}

/**
 * The bytes of `source` in full parts, and last what is left, which may be empty. Every part is a view of
 * one buffer: it is to be used up before the next is asked for.
 */
async function* inParts(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
  meter: Meter,
): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const chunk of source) {
    meter.count(chunk);
    for (let taken = 0; taken < chunk.byteLength; ) {
      const piece = chunk.subarray(taken, taken + partBytes - filled);
      buffer.set(piece, filled);
      filled += piece.byteLength;
      taken += piece.byteLength;
      if (filled === partBytes) {
        yield buffer;
        filled = 0;
      }
    }
  }
  yield buffer.subarray(0, filled);
}
