import type { Connection } from './s3-client.ts';

/** S3 takes no more parts than this in one upload. */
export const MAX_PARTS = 10_000;

/** Where an upload goes: the bucket and the full key in it. */
export interface Target {
  readonly Bucket: string;
  readonly Key: string;
}

export interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

interface Part {
  readonly ETag: string | undefined;
  readonly PartNumber: number;
}

/** One multipart upload. Nothing is visible under its key before `complete`; without it call `abort`. */
export class MultipartUpload {
  readonly #connection: Connection;
  readonly #target: Target;
  readonly #id: string;
  readonly #parts: Part[] = [];

  private constructor(connection: Connection, target: Target, id: string) {
    this.#connection = connection;
    this.#target = target;
    this.#id = id;
  }

  static async begin(
    connection: Connection,
    target: Target,
    contentType: string | undefined,
    options: SendOptions,
  ): Promise<MultipartUpload> {
    const { client, sdk } = connection;
    const command = new sdk.CreateMultipartUploadCommand({ ...target, ContentType: contentType });
    const { UploadId } = await client.send(command, options);
    if (UploadId === undefined) throw new Error('The bucket gave no id for a multipart upload.');
    return new MultipartUpload(connection, target, UploadId);
  }

  #next(): { Bucket: string; Key: string; UploadId: string; PartNumber: number } {
    return { ...this.#target, UploadId: this.#id, PartNumber: this.#parts.length + 1 };
  }

  /** Sends the next part. `body` may be used again when this resolves. */
  async add(body: Uint8Array, options: SendOptions): Promise<void> {
    const { client, sdk } = this.#connection;
    const part = this.#next();
    const { ETag } = await client.send(new sdk.UploadPartCommand({ ...part, Body: body }), options);
    this.#parts.push({ ETag, PartNumber: part.PartNumber });
  }

  /** Lets the server copy the next part; `range` is `bytes=first-last` of the source. */
  async addCopy(CopySource: string, CopySourceRange: string): Promise<void> {
    const { client, sdk } = this.#connection;
    const part = this.#next();
    const answer = await client.send(new sdk.UploadPartCopyCommand({ ...part, CopySource, CopySourceRange }));
    this.#parts.push({ ETag: answer.CopyPartResult?.ETag, PartNumber: part.PartNumber });
  }

  async complete(options: SendOptions): Promise<void> {
    const { client, sdk } = this.#connection;
    const whole = { ...this.#target, UploadId: this.#id, MultipartUpload: { Parts: this.#parts } };
    await client.send(new sdk.CompleteMultipartUploadCommand(whole), options);
  }

  /** Best effort, and without the caller's signal, which may be what ended the upload. */
  async abort(): Promise<void> {
    const { client, sdk } = this.#connection;
    const command = new sdk.AbortMultipartUploadCommand({ ...this.#target, UploadId: this.#id });
    await client.send(command).catch(() => undefined);
  }
}
