import type { Connection } from './s3-client.ts';
import { MultipartUpload, type Target } from './s3-multipart.ts';

/** S3 copies up to 5 GiB in one request: five parts, since a part is 1 GiB. */
const PARTS_IN_ONE_COPY = 5;

/** Copies `bytes` inside the bucket; in one request, or in parts of `partBytes` when it is too large for that. */
export async function copyObject(
  connection: Connection,
  from: Target & { readonly bytes: number },
  to: Target,
  partBytes: number,
): Promise<void> {
  const { client, sdk } = connection;
  // The characters of a key are all safe in a URL, so this header needs no escaping.
  const source = `${from.Bucket}/${from.Key}`;
  if (from.bytes <= partBytes * PARTS_IN_ONE_COPY) {
    await client.send(new sdk.CopyObjectCommand({ ...to, CopySource: source }));
    return;
  }
  const facts = await client.send(new sdk.HeadObjectCommand({ Bucket: from.Bucket, Key: from.Key }));
  const multipart = await MultipartUpload.begin(connection, to, facts.ContentType, {});
  try {
    for (let start = 0; start < from.bytes; start += partBytes) {
      await multipart.addCopy(source, `bytes=${start}-${Math.min(start + partBytes, from.bytes) - 1}`);
    }
    await multipart.complete({});
  } catch (error) {
    await multipart.abort();
    throw error;
  }
}
