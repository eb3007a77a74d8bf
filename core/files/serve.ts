import type { IncomingHttpHeaders } from 'node:http';
import { parseRange } from './byte-range.ts';
import { isFresh, mayResume } from './conditions.ts';
import { contentHeaders, type ShownContent } from './content-headers.ts';
import type { ByteRange, FileFacts } from './storage.ts';

const ONE_YEAR_SECONDS = 31_536_000;

/** Everything that decides how a file is answered. `bytes` and `modified` are those of the stored file. */
export interface ServedFile extends FileFacts, ShownContent {
  /** Without quotes; printable ASCII. It must change whenever the bytes under this URL do. */
  readonly etag: string;
  /** True for names that hold a hash of the content: the same URL never gives other bytes. */
  readonly immutable: boolean;
  /** `private`: the answer depends on who asks, so that no shared cache may keep it. */
  readonly visibility: 'public' | 'private';
  /** True: scripts of any origin may read it, as players on static builds do. */
  readonly crossOrigin: boolean;
}

export interface ServeDecision {
  readonly status: 200 | 206 | 304 | 403 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes to send, or null for all of them. A body is sent only with 200 and 206, and never for HEAD. */
  readonly range: ByteRange | null;
}

/** How to answer GET or HEAD for a file that the caller may read. Pure: opens nothing, knows no clock. */
export function decideServe(
  method: 'GET' | 'HEAD',
  request: IncomingHttpHeaders,
  file: ServedFile,
): ServeDecision {
  const header = (name: string): string | undefined => {
    const value = request[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  // A service worker would rule every page under its path, past the sandbox of each.
  if (file.pagePolicy !== null && header('service-worker')?.trim().toLowerCase() === 'script') {
    const headers = {
      'Content-Security-Policy': file.pagePolicy,
      'Cache-Control': 'no-store',
      'Content-Length': '0',
    };
    return { status: 403, headers, range: null };
  }
  const etag = `"${file.etag}"`;
  const validators = { etag, modified: file.modified };
  const shared = sharedHeaders(file, etag);
  if (isFresh(header, validators)) return { status: 304, headers: shared, range: null };
  const body = { ...shared, ...contentHeaders(file) };
  const asked = method === 'GET' ? header('range') : undefined;
  const range = asked !== undefined && mayResume(header, validators) ? parseRange(asked, file.bytes) : null;
  if (range === null)
    return { status: 200, headers: { ...body, 'Content-Length': String(file.bytes) }, range };
  if (range === 'unsatisfiable') {
    const headers = { ...shared, 'Content-Range': `bytes */${file.bytes}`, 'Content-Length': '0' };
    return { status: 416, headers, range: null };
  }
  const headers = {
    ...body,
    'Content-Range': `bytes ${range.start}-${range.end}/${file.bytes}`,
    'Content-Length': String(range.end - range.start + 1),
  };
  return { status: 206, headers, range };
}

/** What every answer about the file carries, also those without a body. */
function sharedHeaders(file: ServedFile, etag: string): Record<string, string> {
  const headers: Record<string, string> = {
    ETag: etag,
    'Last-Modified': file.modified.toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': cacheControl(file),
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy':
      file.visibility === 'public' || file.crossOrigin ? 'cross-origin' : 'same-site',
  };
  if (file.crossOrigin) {
    headers['Access-Control-Allow-Origin'] = '*';
    headers['Access-Control-Expose-Headers'] = 'Accept-Ranges, Content-Length, Content-Range, ETag';
  }
  if (file.pagePolicy !== null) headers['Content-Security-Policy'] = file.pagePolicy;
  return headers;
}

/** Private files may stay in the browser that got them, for seeking in films, but each use asks again. */
function cacheControl({ visibility, immutable }: ServedFile): string {
  if (visibility === 'private') return 'private, max-age=0, must-revalidate';
  return immutable ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'public, max-age=0, must-revalidate';
}
