import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Context } from 'koa';
import koaBody from 'koa-body';
import { CodedError, fail } from '../api/errors.ts';
import type { UploadedFile } from '../api/operation.ts';
import { isPlainObject } from '../api/schema.ts';

/** Largest JSON body, in bytes, and its deepest nesting. */
const maxJsonBytes = 16 * 1024 * 1024;
const maxDepth = 64;

/** Text fields beside a multipart file: together at most this many bytes. */
const maxFieldBytes = 1024 * 1024;

const methodsWithBody = ['POST', 'PUT', 'PATCH', 'DELETE'];

const readJson = koaBody({
  json: true,
  urlencoded: false,
  text: false,
  multipart: false,
  jsonLimit: maxJsonBytes,
  jsonStrict: true,
  parsedMethods: methodsWithBody as never,
  onError: (error) => {
    throw bodyError(error);
  },
});

/** Body of a JSON request; `{}` when there is none. */
export async function readJsonBody(ctx: Context): Promise<Record<string, unknown>> {
  if (!hasBody(ctx)) return {};
  if (!ctx.is('json', '+json')) fail('rest_unsupported_media_type');
  if ((ctx.request.length ?? 0) > maxJsonBytes) {
    // The rest of it is not worth reading.
    ctx.set('Connection', 'close');
    fail('rest_body_too_large');
  }
  await readJson(ctx, async () => undefined);
  const body: unknown = ctx.request.body;
  if (!isPlainObject(body)) fail('rest_invalid_json');
  checkDepth(body);
  return body;
}

const hasBody = (ctx: Context): boolean =>
  ctx.request.headers['transfer-encoding'] !== undefined || (ctx.request.length ?? 0) > 0;

/** Without recursion: JSON of depth 100,000 parses, and would end `JSON.stringify` later. */
function checkDepth(body: object): void {
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
  if (error instanceof CodedError) return error;
  const { status, code, httpCode, message } = error as {
    status?: number;
    code?: unknown;
    httpCode?: number;
    message?: string;
  };
  if (status === 413 || httpCode === 413) return new CodedError('rest_body_too_large', {});
  if (status === 415) return new CodedError('rest_unsupported_media_type', {});
  if (code === 'ENOSPC' || code === 'EIO' || code === 'EDQUOT') {
    return new CodedError('storage_unavailable', { cause: error });
  }
  if (typeof httpCode === 'number' || /boundary|multipart|parser|aborted/i.test(message ?? '')) {
    return new CodedError('rest_upload_incomplete', {});
  }
  return new CodedError('rest_invalid_json', {});
}

export interface MultipartBody {
  readonly fields: Record<string, unknown>;
  readonly file: UploadedFile | null;
  /** Removes what was received. */
  discard(): Promise<void>;
}

interface ReceivedFile {
  readonly filepath: string;
  readonly size: number;
  readonly originalFilename: string | null;
}

/** Receives text fields and one file, streamed to disk; more than `maxBytes` is 413. */
export async function readMultipart(
  ctx: Context,
  fileField: string,
  maxBytes: number,
): Promise<MultipartBody> {
  if (!ctx.is('multipart/form-data')) fail('rest_unsupported_media_type');
  if ((ctx.request.length ?? 0) > maxBytes + maxFieldBytes) {
    ctx.set('Connection', 'close');
    fail('rest_body_too_large');
  }
  const received: string[] = [];
  const discard = async (): Promise<void> => {
    await Promise.all(received.map((file) => rm(file, { force: true })));
  };
  const read = koaBody({
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    formidable: {
      uploadDir: tmpdir(),
      maxFiles: 1,
      maxFields: 50,
      maxFieldsSize: maxFieldBytes,
      maxFileSize: maxBytes,
      maxTotalFileSize: maxBytes,
      allowEmptyFiles: true,
      minFileSize: 0,
      // formidable leaves its files behind after a failure: remember each one as it begins.
      onFileBegin: (_name: string, file: { filepath: string }) => received.push(file.filepath),
    } as never,
    onError: (error) => {
      throw bodyError(error);
    },
  });
  try {
    await read(ctx, async () => undefined);
  } catch (error) {
    ctx.set('Connection', 'close');
    await discard();
    throw error;
  }
  const files = (ctx.request as { files?: Record<string, ReceivedFile | ReceivedFile[]> }).files ?? {};
  const given = files[fileField];
  const file = (Array.isArray(given) ? given[0] : given) ?? null;
  const body: unknown = ctx.request.body;
  return {
    fields: isPlainObject(body) ? { ...body } : {},
    file: file && { path: file.filepath, bytes: file.size, name: file.originalFilename ?? '' },
    discard,
  };
}
