import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { CodedError, isCoded } from '../api/errors.ts';
import type { Attachment, AttachmentRow } from '../content/attachments/attachment.ts';
import type { NewAttachment } from '../content/attachments/attachment-fields.ts';
import type { AttachmentStore } from '../content/attachments/attachment-store.ts';
import type { Attachments, Uploader } from '../content/attachments/attachments.ts';
import { newFilePlace } from '../content/attachments/stored-file.ts';
import type { UploadSpace } from '../content/attachments/upload-space.ts';
import type { Database } from '../db/database.ts';
import { extensionOf } from '../files/file-name.ts';
import type { Storage } from '../files/storage.ts';
import { copyFile } from './copy-file.ts';

export interface AttachmentCopiesParts {
  readonly db: Database;
  readonly storage: Storage;
  readonly store: AttachmentStore;
  readonly space: UploadSpace;
  readonly attachments: () => Attachments;
  readonly log: Logger;
}

/**
 * Attachments as copies of others, of the same site or not: first the file is copied, then its rows are written in
 * whichever transaction wants them; a file that no row got is taken back.
 */
export class AttachmentCopies {
  readonly #parts: AttachmentCopiesParts;

  constructor(parts: AttachmentCopiesParts) {
    this.#parts = parts;
  }

  /**
   * Copies the file of an attachment to the uploader's site, where nothing refers to it yet. Null when the file is
   * missing or is not what its row says. One without a file needs none.
   * @throws `media_quota_exceeded`, `storage_unavailable`; the reason of the signal
   */
  async store(uploader: Uploader, source: Attachment): Promise<AttachmentRow | null> {
    const { post: _post, grant_epoch: _epoch, file_key, path: _path, bytes, sha256, ...rest } = source;
    if (file_key === null || bytes === null || sha256 === null) {
      return { ...rest, path: null, file_key: null, bytes: null, sha256: null, grant_epoch: 0 };
    }
    const { db, storage, space } = this.#parts;
    await space.check(db.knex, uploader, bytes);
    const named = { filename: rest.filename, extension: extensionOf(rest.filename) || 'bin' };
    const place = newFilePlace(uploader.site.blog_id, named, sha256);
    const file = { from: file_key, to: place.file_key, contentType: rest.mime_type };
    try {
      const copied = await copyFile(storage, { ...file, expected: { bytes, sha256 } }, uploader.signal);
      if (typeof copied === 'string') return null;
    } catch (error) {
      await this.takeBack(place.file_key);
      uploader.signal.throwIfAborted();
      throw new CodedError('storage_unavailable', { cause: isCoded(error) ? error.cause : error });
    }
    return { ...rest, ...place, bytes, sha256, grant_epoch: 0 };
  }

  /** Writes the rows of an attachment with a stored file. @throws as `Attachments.insert` */
  async create(
    trx: Knex.Transaction,
    uploader: Uploader,
    row: AttachmentRow,
    given: NewAttachment,
  ): Promise<Attachment> {
    if (row.file_key !== null) await this.#parts.store.claimFile(trx, row.file_key);
    return this.#parts.attachments().insert(trx, uploader, given, row);
  }

  /** Removes a stored file unless an attachment has it. Never throws: nobody can reach the file. */
  async takeBack(fileKey: string | null): Promise<void> {
    if (fileKey === null) return;
    const { db, storage, store, log } = this.#parts;
    try {
      const kept = await db.transaction((trx) => store.hasFile(trx, fileKey));
      if (!kept) await storage.remove(fileKey);
    } catch (error) {
      log.warn({ err: error, file_key: fileKey }, 'the copy of a file was not removed');
    }
  }
}
