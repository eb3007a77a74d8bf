import { StorageFull } from './storage-errors.ts';

const ABSENT = new Set(['NoSuchKey', 'NotFound']);
const FULL = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
]);

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** The HTTP status of an answer that the SDK turned into an error, or null. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null;
  const metadata = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return null;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : null;
}

/** True when the bucket answered that it holds no such object. */
export const isAbsent = (error: unknown): boolean => ABSENT.has(nameOf(error));

/** True when the asked range begins past the end of the object. */
export const isPastEnd = (error: unknown): boolean =>
  nameOf(error) === 'InvalidRange' || statusOf(error) === 416;

/** What to throw in place of `error`: `StorageFull` for a full server or quota, else the error itself. */
export function asBucketError(error: unknown): unknown {
  return FULL.has(nameOf(error)) || statusOf(error) === 507 ? new StorageFull(error) : error;
}
