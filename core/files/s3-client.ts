import type { S3Client } from '@aws-sdk/client-s3';
import type { BucketLocation } from './storage-url.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

/** The SDK, loaded, and a client of the bucket's server. */
export interface Connection {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** A server that takes no connection in this time is down. */
const CONNECTION_TIMEOUT_MS = 5_000;

/** Until the answer begins: an 8 MiB part at half a megabit per second. Reading the body has no limit. */
const ANSWER_TIMEOUT_MS = 150_000;

/** Each viewer of a video holds one connection; the SDK's own 50 would make the 51st wait. */
const MAX_CONNECTIONS = 500;

/**
 * Loads the SDK on first use, so that a start with a folder does not pay for it, and makes the client.
 * Credentials come from where the SDK always looks. An endpoint of one's own is addressed by path, and
 * gets no checksum headers that servers other than Amazon's may refuse.
 */
export async function connect(location: BucketLocation): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const { region, endpoint } = location;
  const own =
    endpoint === null
      ? {}
      : ({
          endpoint,
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        } as const);
  // Servers other than Amazon's mostly ignore the region, but the signature needs one.
  const place = region ?? (endpoint === null ? null : 'us-east-1');
  const client = new sdk.S3Client({
    ...own,
    ...(place === null ? {} : { region: place }),
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
  });
  return { sdk, client };
}
