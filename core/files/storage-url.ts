import { fileURLToPath } from 'node:url';
import { checkKey } from './key.ts';

/** A folder on this machine; `folder` is an absolute path without a slash at its end. */
export interface FolderLocation {
  readonly kind: 'folder';
  readonly folder: string;
}

/** A bucket. `prefix` has no slash at either end and may be empty. Null: left to the usual AWS variables. */
export interface BucketLocation {
  readonly kind: 's3';
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string | null;
  readonly endpoint: string | null;
}

export type StorageLocation = FolderLocation | BucketLocation;

/** What `STORAGE_URL` may be, in the words of the host page; for the line that stops a start. */
export const STORAGE_URL_FORMS =
  'file:///absolute/folder or s3://bucket/prefix?region=…&endpoint=… (endpoint: http or https)';

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;

/** Reads a storage URL. Throws an `Error` whose message says what is wrong; it never repeats the URL. */
export function parseStorageUrl(text: string): StorageLocation {
  if (!URL.canParse(text)) throw new Error('it is not a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw new Error('it must not hold credentials');
  if (url.hash !== '') throw new Error('it must not have a fragment');
  if (url.protocol === 'file:') return parseFolder(url);
  if (url.protocol === 's3:') return parseBucket(url);
  throw new Error('its scheme is neither file: nor s3:');
}

function parseFolder(url: URL): FolderLocation {
  if (url.host !== '') throw new Error('a file: URL names an absolute folder: three slashes');
  if (url.search !== '') throw new Error('a file: URL takes no parameters');
  const folder = fileURLToPath(url).replace(/\/$/, '');
  if (folder === '') throw new Error('the root folder cannot be the storage');
  return { kind: 'folder', folder };
}

function parseBucket(url: URL): BucketLocation {
  if (url.port !== '') throw new Error('a bucket has no port; use the parameter endpoint');
  if (!BUCKET.test(url.host)) throw new Error('the bucket name is not valid');
  for (const name of url.searchParams.keys()) {
    if (name !== 'region' && name !== 'endpoint')
      throw new Error('the only parameters are region and endpoint');
  }
  const prefix = url.pathname.replace(/^\//, '').replace(/\/$/, '');
  if (prefix !== '') checkKey(prefix);
  const region = url.searchParams.get('region');
  if (region !== null && !REGION.test(region)) throw new Error('the region is not valid');
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !isHttpUrl(endpoint)) throw new Error('the endpoint is not an http or https URL');
  return { kind: 's3', bucket: url.host, prefix, region, endpoint };
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
