import { Readable } from 'node:stream';
import { checkRange } from './byte-range.ts';
import { checkKey } from './key.ts';
import { type Connection, connect } from './s3-client.ts';
import { copyObject } from './s3-copy.ts';
import { asBucketError, isAbsent, isPastEnd } from './s3-errors.ts';
import { abortLeftovers } from './s3-leftovers.ts';
import type { Target } from './s3-multipart.ts';
import { upload } from './s3-upload.ts';
import type {
  ByteRange,
  FileFacts,
  FinishedFile,
  OpenFile,
  Storage,
  StoredFile,
  WriteOptions,
} from './storage.ts';
import { FileMissing } from './storage-errors.ts';
import type { BucketLocation } from './storage-url.ts';
import { takeByWriting } from './take-by-writing.ts';

/** The object of `check`; a key cannot begin with a dot, so it is never in the way. */
const PROBE = '.ready';

export interface S3Sizes {
  readonly partBytes: number;
  readonly copyPartBytes: number;
}

/** Files in a bucket of S3, or of a server that speaks its protocol. */
export class S3Storage implements Storage {
  readonly #location: BucketLocation;
  readonly #sizes: S3Sizes;
  #connection: Promise<Connection> | null = null;

  constructor(location: BucketLocation, sizes: S3Sizes) {
    this.#location = location;
    this.#sizes = sizes;
  }

  async #connect(): Promise<Connection> {
    this.#connection ??= connect(this.#location).then((connection) => {
      void abortLeftovers(connection, this.#location.bucket, this.#inBucket(''), Date.now());
      return connection;
    });
    return await this.#connection;
  }

  #inBucket(key: string): string {
    return this.#location.prefix === '' ? key : `${this.#location.prefix}/${key}`;
  }

  #target(key: string): Target {
    checkKey(key);
    return { Bucket: this.#location.bucket, Key: this.#inBucket(key) };
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<StoredFile> {
    const target = this.#target(key);
    options.signal?.throwIfAborted();
    const connection = await this.#connect();
    try {
      const { partBytes } = this.#sizes;
      return { key, ...(await upload(connection, target, source, { ...options, partBytes })) };
    } catch (error) {
      throw asBucketError(error);
    }
  }

  async take(key: string, file: FinishedFile, options: Omit<WriteOptions, 'limit'>): Promise<void> {
    await takeByWriting(this, key, file, options);
  }

  async read(key: string, range?: ByteRange): Promise<OpenFile | null> {
    const target = this.#target(key);
    if (range !== undefined) checkRange(range);
    const { client, sdk } = await this.#connect();
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    try {
      const answer = await client.send(new sdk.GetObjectCommand({ ...target, Range }));
      const stream = answer.Body;
      if (!(stream instanceof Readable)) throw new Error('The bucket gave no body.');
      const bytes = wholeSize(answer.ContentRange) ?? answer.ContentLength ?? 0;
      return { bytes, modified: answer.LastModified ?? new Date(0), stream };
    } catch (error) {
      if (isAbsent(error)) return null;
      if (isPastEnd(error)) throw new RangeError('The range is past the end.');
      throw error;
    }
  }

  async localPath(): Promise<null> {
    return null;
  }

  async stat(key: string): Promise<FileFacts | null> {
    const target = this.#target(key);
    const { client, sdk } = await this.#connect();
    try {
      const facts = await client.send(new sdk.HeadObjectCommand(target));
      return { bytes: facts.ContentLength ?? 0, modified: facts.LastModified ?? new Date(0) };
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async copy(from: string, to: string): Promise<void> {
    const target = this.#target(to);
    const facts = await this.stat(from);
    if (facts === null) throw new FileMissing(from);
    const source = { ...this.#target(from), bytes: facts.bytes };
    try {
      await copyObject(await this.#connect(), source, target, this.#sizes.copyPartBytes);
    } catch (error) {
      if (isAbsent(error)) throw new FileMissing(from);
      throw asBucketError(error);
    }
  }

  async remove(key: string): Promise<void> {
    const target = this.#target(key);
    const { client, sdk } = await this.#connect();
    await client.send(new sdk.DeleteObjectCommand(target));
  }

  async removeFolder(prefix: string): Promise<void> {
    checkKey(prefix);
    const { client, sdk } = await this.#connect();
    const Bucket = this.#location.bucket;
    for await (const page of this.#pages(prefix)) {
      if (page.length === 0) continue;
      const Objects = page.map(({ key }) => ({ Key: this.#inBucket(key) }));
      const answer = await client.send(
        new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
      );
      const failed = answer.Errors?.[0];
      if (failed !== undefined)
        throw new Error(`The bucket did not remove a file: ${failed.Code ?? 'no reason given'}.`);
    }
  }

  async *list(prefix: string): AsyncIterable<{ key: string; bytes: number }> {
    if (prefix !== '') checkKey(prefix);
    for await (const page of this.#pages(prefix)) yield* page;
  }

  /** At most 1,000 files at a time, the most that one listing and one removal take. */
  async *#pages(prefix: string): AsyncGenerator<{ key: string; bytes: number }[], void, undefined> {
    const { client, sdk } = await this.#connect();
    const Prefix = this.#inBucket(prefix === '' ? '' : `${prefix}/`);
    const hidden = this.#inBucket('').length;
    let ContinuationToken: string | undefined;
    do {
      const command = new sdk.ListObjectsV2Command({
        Bucket: this.#location.bucket,
        Prefix,
        ContinuationToken,
      });
      const answer = await client.send(command);
      const keys = (answer.Contents ?? []).map(({ Key = '', Size = 0 }) => ({
        key: Key.slice(hidden),
        bytes: Size,
      }));
      yield keys.filter(({ key }) => key !== '' && key !== PROBE);
      ContinuationToken = answer.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  async check(): Promise<void> {
    const { client, sdk } = await this.#connect();
    const target = { Bucket: this.#location.bucket, Key: this.#inBucket(PROBE) };
    try {
      await client.send(new sdk.PutObjectCommand({ ...target, Body: 'ok', ContentType: 'text/plain' }));
      const answer = await client.send(new sdk.GetObjectCommand(target));
      const text = await answer.Body?.transformToString();
      if (text !== 'ok') throw new Error('The file storage does not give back what was written.');
    } catch (error) {
      throw asBucketError(error);
    }
  }
}

/** The size after the slash of `bytes 0-9/100`, or null. */
function wholeSize(contentRange: string | undefined): number | null {
  const size = Number(contentRange?.split('/')[1] ?? Number.NaN);
  return Number.isSafeInteger(size) ? size : null;
}
