import { createHash } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { CodedError, fail } from '../api/errors.ts';
import type { UploadedFile } from '../api/operation.ts';
import { errorCode } from '../files/disk.ts';
import { invalidParams } from './input.ts';
import { BrokenMultipart, boundaryOf, multipartParts, type PartEvent } from './multipart-parts.ts';
import type { PartHeaders } from './part-headers.ts';
import type { UploadFolder } from './upload-folder.ts';

/** Text fields of a form: together at most this many bytes, and this many of them. */
const maxFieldBytes = 1024 * 1024;
const maxFields = 100;

/** Headers, boundaries and what may stand around the parts. */
const maxOverheadBytes = 1024 * 1024;

/** A client that sends nothing for this long is gone; an upload itself may take hours. */
const silenceMs = 60_000;

export interface UploadRules {
  readonly folder: UploadFolder;
  /** Name of the one field that takes a file. */
  readonly fileField: string;
  /** Bytes that the file may have. */
  readonly maxBytes: number;
}

export interface MultipartBody {
  /** Text by name, an array for a name that was given more than once. */
  readonly fields: Record<string, unknown>;
  readonly file: UploadedFile | null;
  /** Removes what was received. */
  discard(): Promise<void>;
}

/**
 * Receives text fields and one file, streamed to disk. After any failure nothing is left on it.
 * @throws `rest_unsupported_media_type`, `rest_body_too_large`, `rest_upload_incomplete`,
 *   `rest_invalid_param` for a second file or one in a text field, `storage_unavailable`
 */
export async function readMultipart(ctx: Context, rules: UploadRules): Promise<MultipartBody> {
  if (!ctx.is('multipart/form-data')) fail('rest_unsupported_media_type');
  const mostBytes = rules.maxBytes + maxFieldBytes + maxOverheadBytes;
  if ((ctx.request.length ?? 0) > mostBytes) fail('rest_body_too_large');
  const boundary = boundaryOf(ctx.get('Content-Type'));
  if (boundary === null) return fail('rest_upload_incomplete', { message: 'The form has no boundary.' });
  const form = new IncomingForm(rules);
  try {
    const source = chunksOf(ctx.req, mostBytes);
    for await (const event of multipartParts(source, boundary)) await form.take(event);
    return await form.finish();
  } catch (error) {
    await form.discard();
    throw uploadError(error);
  }
}

function uploadError(error: unknown): unknown {
  if (error instanceof CodedError) return error;
  if (error instanceof BrokenMultipart) {
    return new CodedError('rest_upload_incomplete', { message: `The upload is broken: ${error.message}.` });
  }
  if (error instanceof Disconnected) return new CodedError('rest_upload_incomplete', {});
  // Whatever else goes wrong while a file is written, the disk is at fault.
  if (errorCode(error)?.startsWith('E') && !errorCode(error)?.startsWith('ERR_'))
    return new CodedError('storage_unavailable', { cause: error });
  return error;
}

class Disconnected extends Error {}

/** The request's bytes; the request outlives a consumer that stops, so that it can be answered. */
async function* chunksOf(request: IncomingMessage, most: number): AsyncGenerator<Buffer, void, undefined> {
  let total = 0;
  const silence = setTimeout(() => request.destroy(), silenceMs);
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const step = await chunks.next().catch((error: unknown) => {
        throw new Disconnected('The client went away.', { cause: error });
      });
      if (step.done === true) break;
      silence.refresh();
      total += step.value.length;
      if (total > most) fail('rest_body_too_large');
      yield step.value;
    }
    if (!request.complete) throw new Disconnected('The client went away.');
  } finally {
    clearTimeout(silence);
    await chunks.return?.();
  }
}

interface TextField {
  readonly name: string;
  readonly pieces: Buffer[];
}

/** What has been received so far. */
class IncomingForm {
  readonly #rules: UploadRules;
  readonly #fields = Object.create(null) as Record<string, unknown>;
  #fieldCount = 0;
  #fieldBytes = 0;
  /** The part whose bytes come now; null for one without a name, which is dropped. */
  #open: TextField | IncomingFile | null = null;
  #file: IncomingFile | null = null;

  constructor(rules: UploadRules) {
    this.#rules = rules;
  }

  async take(event: PartEvent): Promise<void> {
    if (event.kind === 'part') {
      await this.#close();
      this.#open = await this.#begin(event.headers);
    } else if (this.#open instanceof IncomingFile) {
      await this.#open.write(event.bytes);
    } else {
      this.#fieldBytes += event.bytes.length;
      if (this.#fieldBytes > maxFieldBytes) fail('rest_body_too_large');
      // A copy, since the piece is a window into a buffer of the socket.
      this.#open?.pieces.push(Buffer.from(event.bytes));
    }
  }

  async #begin({ name, filename, encoded }: PartHeaders): Promise<TextField | IncomingFile | null> {
    if (encoded) throw new BrokenMultipart('a part has a Content-Transfer-Encoding');
    this.#fieldCount += 1;
    if (this.#fieldCount > maxFields) throw new BrokenMultipart(`it has more than ${maxFields} parts`);
    if (name === null) return null;
    if (filename === null) return { name, pieces: [] };
    if (name !== this.#rules.fileField) invalidParams({ [name.slice(0, 100)]: 'must be no file' });
    if (this.#file !== null) invalidParams({ [name]: 'must be given once' });
    const { path, file } = await this.#rules.folder.create();
    this.#file = new IncomingFile(path, file, filename, this.#rules.maxBytes);
    return this.#file;
  }

  async #close(): Promise<void> {
    const open = this.#open;
    if (open instanceof IncomingFile) await open.close();
    else if (open !== null) this.#addField(open.name, Buffer.concat(open.pieces).toString('utf8'));
    this.#open = null;
  }

  #addField(name: string, value: string): void {
    const earlier = this.#fields[name];
    if (earlier === undefined) this.#fields[name] = value;
    else this.#fields[name] = Array.isArray(earlier) ? [...(earlier as unknown[]), value] : [earlier, value];
  }

  async finish(): Promise<MultipartBody> {
    await this.#close();
    return {
      fields: this.#fields,
      file: this.#file?.result() ?? null,
      discard: () => this.discard(),
    };
  }

  async discard(): Promise<void> {
    await this.#file?.discard();
  }
}

/** A file on its way to the disk: counted and hashed as it is written. */
class IncomingFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #name: string;
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(path: string, file: FileHandle, name: string, maxBytes: number) {
    this.#path = path;
    this.#file = file;
    this.#name = name;
    this.#maxBytes = maxBytes;
  }

  async write(bytes: Buffer): Promise<void> {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) fail('rest_body_too_large');
    this.#hash.update(bytes);
    await this.#file.writeFile(bytes);
  }

  /** Closing an already closed handle does nothing. */
  async close(): Promise<void> {
    await this.#file.close();
  }

  result(): UploadedFile {
    return { path: this.#path, bytes: this.#bytes, name: this.#name, sha256: this.#hash.digest('hex') };
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#path, { force: true });
  }
}
