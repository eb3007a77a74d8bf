import type { Context } from 'koa';
import { CodedError, fail } from '../api/errors.ts';
import { isPlainObject } from '../api/schema.ts';
import { nestedOf } from './bracketed.ts';

/** Largest JSON body, in bytes, where an operation does not say otherwise; and its deepest nesting. */
export const maxJsonBytes = 16 * 1024 * 1024;
const maxDepth = 64;

/** A body of the usual size comes in seconds; whoever needs longer is cut off. Larger ones get as much more. */
const maxMs = 60_000;
const patienceFor = (most: number): number => maxMs * Math.max(1, most / maxJsonBytes);

const methodsWithBody = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Unpacks and limits; gives one character per byte, because its own decoder mends what is no UTF-8. */
async function loadReader(types: string[], limit: number) {
  const { koaBody } = await import('koa-body');
  return koaBody({
    text: true,
    textTypes: types,
    textLimit: limit,
    encoding: 'binary',
    json: false,
    urlencoded: false,
    multipart: false,
    parsedMethods: methodsWithBody as never,
    onError: (error) => {
      throw bodyError(error);
    },
  });
}

type Reader = ReturnType<typeof loadReader>;

/**
 * Loaded with the first body: that takes 9 MB, and a process that only works reads none. By limit: operations have
 * few different ones.
 */
const jsonReaders = new Map<number, Reader>();
let formReader: Reader | null = null;
let bracketedReader: Reader | null = null;

function jsonReader(limit: number): Reader {
  const reader = jsonReaders.get(limit) ?? loadReader(['json', '+json'], limit);
  jsonReaders.set(limit, reader);
  return reader;
}

/** Forms of pages have a few short fields. */
const maxFormBytes = 16 * 1024;

/** Forms with bracketed names have some hundred. */
const maxBracketedBytes = 256 * 1024;

async function read(ctx: Context, reader: Reader, most: number): Promise<string> {
  const readBytes = await reader;
  await Promise.race([readBytes(ctx, async () => undefined), clientGone(ctx, patienceFor(most))]);
  const bytes = String(ctx.request.body ?? '');
  // The context lives as long as the request, and 64 MiB would lie about twice.
  ctx.request.body = null;
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Body of a JSON request; `{}` when there is none.
 * @param most bytes that it may have, unpacked
 */
export async function readJsonBody(ctx: Context, most: number): Promise<Record<string, unknown>> {
  if (!hasBody(ctx)) return {};
  if (!ctx.is('json', '+json')) fail('rest_unsupported_media_type');
  if ((ctx.request.length ?? 0) > most) fail('rest_body_too_large');
  const bytes = Buffer.from(await read(ctx, jsonReader(most), most), 'binary');
  if (bytes.length === 0) return {};
  const body = parse(bytes);
  if (!isPlainObject(body)) fail('rest_invalid_json');
  checkShape(body);
  return body;
}

/** Fields of a form that a page posted; of those with one name the first. */
export async function readForm(ctx: Context): Promise<Readonly<Record<string, string>>> {
  if (!ctx.is('urlencoded')) fail('rest_unsupported_media_type');
  formReader ??= loadReader(['urlencoded'], maxFormBytes);
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(await read(ctx, formReader, maxFormBytes)))
    fields[name] ??= value;
  return fields;
}

/** Whether the body is a form of names and values. */
export const isForm = (ctx: Context): boolean => hasBody(ctx) && Boolean(ctx.is('urlencoded'));

/** Fields of a form whose names are bracketed, as the lists and objects that they stand for. */
export async function readBracketedForm(ctx: Context): Promise<Record<string, unknown>> {
  bracketedReader ??= loadReader(['urlencoded'], maxBracketedBytes);
  if ((ctx.request.length ?? 0) > maxBracketedBytes) fail('rest_body_too_large');
  return nestedOf(new URLSearchParams(await read(ctx, bracketedReader, maxBracketedBytes)));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return fail('rest_invalid_json');
  }
}

/** Rejects when the client goes before all is there: a body that is being unzipped would wait for ever. */
function clientGone({ req }: Context, patienceMs: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    const gone = (): void => {
      clearTimeout(patience);
      if (!req.complete) reject(new CodedError('rest_invalid_json', {}));
    };
    const patience = setTimeout(() => req.destroy(), patienceMs).unref();
    if (req.destroyed) gone();
    else req.once('close', gone);
  });
}

const hasBody = (ctx: Context): boolean =>
  ctx.request.headers['transfer-encoding'] !== undefined || (ctx.request.length ?? 0) > 0;

/**
 * Depth, without recursion: JSON of depth 100,000 parses, and would end `JSON.stringify` later. And no `__proto__`,
 * which becomes something else as soon as somebody copies the object; below a field, the check of that field sees it.
 */
function checkShape(body: object): void {
  if (Object.hasOwn(body, '__proto__')) {
    fail('rest_invalid_json', { message: 'The body has the forbidden key "__proto__".' });
  }
  let level: object[] = [body];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth)
      fail('rest_invalid_json', { message: `The body is nested deeper than ${maxDepth} levels.` });
    const next: object[] = [];
    for (const node of level) {
      for (const member of Object.values(node)) {
        if (typeof member === 'object' && member !== null) next.push(member as object);
      }
    }
    level = next;
  }
}

function bodyError(error: unknown): CodedError {
  const { status } = error as { status?: number };
  if (status === 413) return new CodedError('rest_body_too_large', {});
  if (status === 415) return new CodedError('rest_unsupported_media_type', {});
  return new CodedError('rest_invalid_json', {});
}
