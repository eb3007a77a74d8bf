import type { Knex } from 'knex';
import { CodedError, isCoded } from '../api/errors.ts';
import type { Attachment, AttachmentRow } from '../content/attachments/attachment.ts';
import type { NewAttachment } from '../content/attachments/attachment-fields.ts';
import type { Attachments, Uploader } from '../content/attachments/attachments.ts';
import { newFilePlace } from '../content/attachments/stored-file.ts';
import type { UnclaimedFiles } from '../content/attachments/unclaimed-files.ts';
import type { UploadSpace } from '../content/attachments/upload-space.ts';
import type { Database } from '../db/database.ts';
import { extensionOf } from '../files/file-name.ts';
import type { Storage } from '../files/storage.ts';
import { copyFile } from './copy-file.ts';

export interface AttachmentCopiesParts {
  readonly db: Database;
  readonly storage: Storage;
  readonly unclaimed: UnclaimedFiles;
  readonly space: UploadSpace;
  readonly attachments: () => Attachments;
}

/**
 * Attachments as copies of others, of the same site or not: first the file is copied, then its rows are written in
 * whichever transaction wants them; a file that no row got is taken back, or swept up after a crash.
 */
export class AttachmentCopies {
  readonly #parts: AttachmentCopiesParts;

  constructor(parts: AttachmentCopiesParts) {
    this.#parts = parts;
  }

  /**
   * Copies the file of an attachment to the uploader's site, where nothing refers to it yet. Null when the file is
   * missing or is not what its row says. One that was replaced since it was read is copied as it is now. One without
   * a file needs none.
   * @throws `media_quota_exceeded`, `storage_unavailable`; the reason of the signal
   */
  async store(uploader: Uploader, source: Attachment): Promise<AttachmentRow | null> {
    const row = await this.#stored(uploader, source);
    if (row) return row;
    const { post, file_key } = source;
    const now = await this.#parts.attachments().find(post.blog_id, post.id);
    return now && now.file_key !== file_key ? this.store(uploader, now) : null;
  }

  async #stored(uploader: Uploader, source: Attachment): Promise<AttachmentRow | null> {
    const { post: _post, grant_epoch: _epoch, file_key, path: _path, bytes, sha256, ...rest } = source;
    if (file_key === null || bytes === null || sha256 === null) {
      return { ...rest, path: null, file_key: null, bytes: null, sha256: null, grant_epoch: 0 };
    }
    const { db, storage, space, unclaimed } = this.#parts;
    await space.check(db.knex, uploader, bytes);
    const named = { filename: rest.filename, extension: extensionOf(rest.filename) || 'bin' };
    const place = newFilePlace(uploader.site.blog_id, named, sha256);
    const file = { from: file_key, to: place.file_key, contentType: rest.mime_type };
    await unclaimed.note(db.knex, place.file_key);
    try {
      const copied = await copyFile(storage, { ...file, expected: { bytes, sha256 } }, uploader.signal);
      if (typeof copied !== 'string') return { ...rest, ...place, bytes, sha256, grant_epoch: 0 };
    } catch (error) {
      await this.takeBack(place.file_key);
      uploader.signal.throwIfAborted();
      throw new CodedError('storage_unavailable', { cause: isCoded(error) ? error.cause : error });
    }
    await this.takeBack(place.file_key);
    return null;
  }

  /**
   * Writes the rows of an attachment with a stored file. `Posts.touchSite` is for the caller.
   * @throws as `Attachments.insert`; `storage_unavailable` when the file was swept up meanwhile
   */
  async create(
    trx: Knex.Transaction,
    uploader: Uploader,
    row: AttachmentRow,
    given: NewAttachment,
  ): Promise<Attachment> {
    if (row.file_key !== null && !(await this.#parts.unclaimed.claim(trx, row.file_key))) {
      throw new CodedError('storage_unavailable', {});
    }
    return this.#parts.attachments().insert(trx, uploader, given, row);
  }

  /** Removes a stored file unless an attachment has it. Never throws: nobody can reach the file. */
  async takeBack(fileKey: string | null): Promise<void> {
    if (fileKey !== null) await this.#parts.unclaimed.takeBack(fileKey);
  }
}
