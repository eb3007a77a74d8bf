import type { Connection } from './s3-client.ts';

/** An upload that a killed process left is invisible but paid for; none takes a whole day. */
const LEFTOVER_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Aborts multipart uploads under `prefix` that began more than a day ago. Best effort: it never throws,
 * since some servers cannot list uploads and some credentials may not.
 */
export async function abortLeftovers(
  connection: Connection,
  bucket: string,
  prefix: string,
  now: number,
): Promise<void> {
  const { client, sdk } = connection;
  try {
    const answer = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }));
    for (const { Key, UploadId, Initiated } of answer.Uploads ?? []) {
      if (Initiated === undefined || now - Initiated.getTime() < LEFTOVER_AFTER_MS) continue;
      await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
    }
  } catch {
    // What stays is for the next start, or for a life-cycle rule of the bucket.
  }
}
