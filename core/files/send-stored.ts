import type { Context } from 'koa';
import { CodedError, fail } from '../api/errors.ts';
import type { ServeDecision } from './serve.ts';
import type { OpenFile, Storage } from './storage.ts';

/** A file where it is stored. */
export interface StoredPlace {
  readonly file_key: string;
  readonly bytes: number;
}

/**
 * Answers with a stored file as it was decided. False when the file is missing or not whole.
 * @throws CodedError `rest_range_not_satisfiable`, `storage_unavailable`
 */
export async function sendStored(
  ctx: Context,
  storage: Storage,
  file: StoredPlace,
  decision: ServeDecision,
): Promise<boolean> {
  const { status } = decision;
  if (status === 416) {
    const { 'Content-Length': _none, ...headers } = decision.headers;
    fail('rest_range_not_satisfiable', { headers });
  }
  if (status === 304 || status === 403) ctx.body = null;
  else if (ctx.method === 'HEAD') {
    const found = await fromStorage(() => storage.stat(file.file_key));
    if (found?.bytes !== file.bytes) return false;
  } else {
    const open = await openWhole(storage, file, decision);
    if (open === null) return false;
    ctx.body = open.stream;
  }
  ctx.status = status;
  // An origin that the site allows by name was granted more than `*` would.
  const named = ctx.res.hasHeader('Access-Control-Allow-Origin');
  for (const [name, value] of Object.entries(decision.headers)) {
    if (!(named && name.startsWith('Access-Control-'))) ctx.set(name, value);
  }
  return true;
}

/** Whoever may read the file tomorrow must not be told by a cache that it is not there. */
export function noSuchFile(): never {
  return fail('file_not_found', { headers: { 'Cache-Control': 'no-store' } });
}

async function openWhole(
  storage: Storage,
  file: StoredPlace,
  { range }: ServeDecision,
): Promise<OpenFile | null> {
  const open = await fromStorage(() => storage.read(file.file_key, range ?? undefined));
  if (open?.bytes === file.bytes) return open;
  open?.stream.destroy();
  return null;
}

async function fromStorage<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    // The stored file is shorter than its row says.
    if (error instanceof RangeError) return null;
    throw new CodedError('storage_unavailable', { cause: error });
  }
}
