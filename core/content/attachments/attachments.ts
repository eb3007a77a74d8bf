import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '../../api/actor.ts';
import type { PlaybackArtifacts } from '../../artifacts/playback-artifacts.ts';
import type { Database } from '../../db/database.ts';
import type { FileLinks } from '../../files/file-links.ts';
import type { Storage } from '../../files/storage.ts';
import { invalidParams } from '../../http/input.ts';
import type { MediaInfo } from '../../media/media-info.ts';
import type { MediaProbe } from '../../media/media-probe.ts';
import type { HostSettings } from '../../settings/host-settings.ts';
import type { SiteState } from '../../state/site-state.ts';
import type { Notices } from '../notices.ts';
import type { Post } from '../post.ts';
import { applied, changedColumns } from '../post-fields.ts';
import type { PostWriter } from '../post-writer.ts';
import type { PostStore } from '../posts-store.ts';
import type { Attachment, AttachmentRow } from './attachment.ts';
import {
  type AttachmentFields,
  blankAttachment,
  type NewAttachment,
  postFields,
  titleOf,
  wordsOfAttachment,
} from './attachment-fields.ts';
import { type AttachmentFilter, listAttachments } from './attachment-list-store.ts';
import type { AttachmentStore } from './attachment-store.ts';
import { examineFile, type LocalFile } from './examine-file.ts';
import { newFilePlace, storeFile } from './stored-file.ts';
import type { UploadSpace } from './upload-space.ts';

/** Who uploads, and until when; a call is one. */
export interface Uploader extends Actor {
  readonly state: SiteState;
  readonly signal: AbortSignal;
}

export interface AttachmentParts {
  readonly db: Database;
  readonly storage: Storage;
  readonly links: FileLinks;
  readonly probe: MediaProbe;
  readonly settings: HostSettings;
  readonly space: UploadSpace;
  readonly store: AttachmentStore;
  readonly artifacts: PlaybackArtifacts;
  readonly posts: PostStore;
  readonly writer: PostWriter;
  readonly notices: Notices;
  readonly now: () => Date;
  readonly log: Logger;
}

/**
 * Attachments: records with a file. No row is without its file and no file without its row, whatever fails on the
 * way. Whether the caller may is for the operation to ask, with `mayReadAttachment` and `mayEditAttachment`.
 */
export class Attachments {
  readonly #parts: AttachmentParts;

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
  }

  /** The attachment of this id on the site, of whatever status, or null. */
  find(blogId: number, id: number, sql: Knex = this.#parts.db.knex): Promise<Attachment | null> {
    return this.#parts.store.find(sql, blogId, id);
  }

  /** Notes what ffprobe knows of an attachment's file, if it is still this one. */
  async noteMedia({ post, file_key }: Attachment, media_info: MediaInfo): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const now = await this.#parts.store.lock(trx, post.blog_id, post.id);
      if (now?.file_key === file_key) await this.#parts.store.update(trx, post.id, { media_info });
    });
  }

  /** The same, locked until the transaction ends: what is decided from it stays true. */
  lock(trx: Knex.Transaction, blogId: number, id: number): Promise<Attachment | null> {
    return this.#parts.store.lock(trx, blogId, id);
  }

  /** One page of attachments, newest first, and how many there are. Two queries. */
  list(filter: AttachmentFilter): Promise<{ readonly items: Attachment[]; readonly total: number }> {
    return listAttachments(this.#parts.db.knex, filter);
  }

  /** The lasting URL of the file on its site; of an import without file, where it came from. */
  url(site: { readonly url: string }, { path, source_url }: Attachment): string {
    return path === null ? (source_url ?? '') : this.#parts.links.plain(site, path);
  }

  /** Where the files are now that were fetched from these addresses: URL by old address. */
  async byOrigin(
    sql: Knex,
    site: { readonly blog_id: number; readonly url: string },
    urls: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const { store, links } = this.#parts;
    const paths = await store.pathsByOrigin(sql, site.blog_id, urls);
    return new Map([...paths].map(([origin, path]) => [origin, links.plain(site, path)]));
  }

  /**
   * Makes an attachment of a local file, which is copied and stays. First the file is stored, then its row is
   * written; when that fails, the stored file goes again.
   * @param also what is to be written together with the row, or not at all; listeners are told after it
   * @throws `media_type_not_allowed`, `media_quota_exceeded`, `storage_unavailable`, `rest_upload_incomplete`,
   *   `rest_invalid_param` naming `parent_id`, what listeners of `post.writing` and `attachment.uploaded` throw
   */
  async create(
    uploader: Uploader,
    file: LocalFile,
    given: NewAttachment,
    also?: (trx: Knex.Transaction, attachment: Attachment) => Promise<unknown>,
  ): Promise<Attachment> {
    const { facts, place } = await this.#stored(uploader, file);
    const { bytes, sha256 } = file;
    const alt = given.alt ?? '';
    const row = { ...facts, ...place, bytes, sha256, alt, source_url: null, grant_epoch: 0 };
    try {
      return await this.#parts.db.transaction(async (trx) => {
        await this.#parts.store.claimFile(trx, place.file_key);
        const attachment = await this.insert(trx, uploader, given, row);
        const { status, blog_id } = attachment.post;
        if (status === 'publish') await this.#parts.posts.touchSite(trx, blog_id);
        await also?.(trx, attachment);
        await this.#parts.notices.send(trx, uploader, {
          kind: 'attachment.uploaded',
          attachment,
        });
        return attachment;
      });
    } catch (error) {
      await this.#takeBack(place.file_key);
      throw error;
    }
  }

  /**
   * Gives a local file to an attachment that has none, as `create` does to a new one. False when the attachment is
   * gone or has a file by now.
   * @throws as `create`
   */
  async fill(uploader: Uploader, id: number, file: LocalFile): Promise<boolean> {
    const { db, store, posts, space } = this.#parts;
    const { facts, place } = await this.#stored(uploader, file);
    let isFilled = false;
    try {
      isFilled = await db.transaction(async (trx) => {
        await store.claimFile(trx, place.file_key);
        const before = await store.lock(trx, uploader.site.blog_id, id);
        if (!before || before.path !== null) return false;
        await space.claim(trx, uploader, file.bytes);
        const row = { ...facts, ...place, bytes: file.bytes, sha256: file.sha256 };
        await store.update(trx, id, row);
        await this.#index(trx, before.post, { ...before, ...row });
        if (before.post.status === 'publish') await posts.touchSite(trx, before.post.blog_id);
        return true;
      });
      return isFilled;
    } finally {
      if (!isFilled) await this.#takeBack(place.file_key);
    }
  }

  /** Examines a local file and puts it into the storage, where nothing refers to it yet. */
  async #stored(uploader: Uploader, file: LocalFile) {
    const { db, storage, probe, settings, space } = this.#parts;
    const allowed = settings.value<readonly string[]>(uploader.state, 'upload_filetypes');
    const examined = await examineFile(file, allowed, probe, uploader.signal);
    await space.check(db.knex, uploader, file.bytes);
    const place = newFilePlace(uploader.site.blog_id, examined, file.sha256);
    await storeFile(storage, file, { key: place.file_key, contentType: examined.mime_type }, uploader.signal);
    const { extension: _extension, ...facts } = examined;
    return { facts, place };
  }

  /**
   * Writes the rows of an attachment whose file, if it has one, is stored already and claimed by this transaction.
   * That the site changed is for the caller to say, with `Posts.touchSite`.
   * @throws `media_quota_exceeded`, `rest_invalid_param` naming `parent_id`, what listeners of `post.writing` throw
   */
  async insert(
    trx: Knex.Transaction,
    uploader: Uploader,
    given: NewAttachment,
    row: AttachmentRow,
  ): Promise<Attachment> {
    const { space, store, posts, writer, notices } = this.#parts;
    await space.claim(trx, uploader, row.bytes ?? 0);
    const lang = this.#parts.settings.value<string>(uploader.state, 'default_lang');
    const { author_id } = given;
    const own = { id: await posts.nextId(trx), blog_id: uploader.site.blog_id, author_id, lang };
    const blank = blankAttachment(own, this.#parts.now().toISOString());
    const title = given.title || titleOf(row.filename);
    const after = applied(null, blank, { ...postFields(given), title }, {});
    await this.#checkParent(trx, null, after);
    await notices.send(trx, uploader, { kind: 'post.writing', before: null, after });
    const post = await writer.insert(trx, after);
    await store.insert(trx, post, row);
    await this.#index(trx, post, row);
    return { ...row, post };
  }

  /**
   * Writes what really changes; a status takes the attachment out of the trash.
   * @param before the attachment, locked by this transaction
   * @throws `rest_invalid_param` naming `parent_id`, what listeners of `post.writing` throw
   */
  async update(
    trx: Knex.Transaction,
    actor: Actor,
    before: Attachment,
    fields: AttachmentFields,
  ): Promise<Attachment> {
    const { store, posts, writer, notices, now } = this.#parts;
    const alt = fields.alt ?? before.alt;
    const wanted = applied(before.post, before.post, postFields(fields), {});
    const columns = changedColumns(before.post, wanted);
    if (columns.length === 0 && alt === before.alt) return before;
    await this.#checkParent(trx, before.post, wanted);
    await notices.send(trx, actor, { kind: 'post.writing', before: before.post, after: wanted });
    const stamped = { ...wanted, modified_at: now().toISOString() };
    const post = await writer.update(trx, stamped, [...columns, 'modified_at']);
    await store.update(trx, post.id, { alt });
    const after = { ...before, alt, post };
    await this.#index(trx, post, after);
    if (before.post.status === 'publish' || post.status === 'publish')
      await posts.touchSite(trx, post.blog_id);
    if (before.post.status === 'trash' && post.status !== 'trash') {
      await notices.send(trx, actor, { kind: 'post.restored', post });
    }
    return after;
  }

  /** Moves the locked attachment to the trash, which ends its grants; one that is there stays as it is. */
  async trash(trx: Knex.Transaction, actor: Actor, before: Attachment): Promise<Attachment> {
    if (before.post.status === 'trash') return before;
    const { store, posts, notices, now } = this.#parts;
    const post = await posts.update(trx, before.post.id, {
      status: 'trash',
      trashed_status: before.post.status,
      modified_at: now().toISOString(),
    });
    await store.voidGrants(trx, post.id);
    if (before.post.status === 'publish') await posts.touchSite(trx, post.blog_id);
    await notices.send(trx, actor, { kind: 'post.trashed', post });
    return { ...before, post, grant_epoch: before.grant_epoch + 1 };
  }

  /** Deletes the rows of the locked attachment and its artifacts. Its file is for `dropFile`, after the commit. */
  async remove(trx: Knex.Transaction, actor: Actor, { post }: Attachment): Promise<void> {
    const { store, artifacts, posts, notices } = this.#parts;
    await artifacts.dropAll(trx, post.blog_id, post.id);
    await posts.remove(trx, post);
    await store.unfeature(trx, post.blog_id, post.id);
    if (post.status === 'publish') await posts.touchSite(trx, post.blog_id);
    await notices.send(trx, actor, { kind: 'post.deleted', post });
  }

  /** Removes the file of a deleted attachment. It never throws: nobody can reach the file any more. */
  async dropFile({ file_key }: Attachment): Promise<void> {
    if (file_key === null) return;
    try {
      await this.#parts.storage.remove(file_key);
    } catch (error) {
      this.#parts.log.warn({ err: error, file_key }, 'the file of a deleted attachment was not removed');
    }
  }

  /** After a failure, which may be that of a commit that came through: only a file without row is removed. */
  async #takeBack(fileKey: string): Promise<void> {
    const { db, storage, store, log } = this.#parts;
    try {
      const kept = await db.transaction((trx) => store.hasFile(trx, fileKey));
      if (!kept) await storage.remove(fileKey);
    } catch (error) {
      log.warn({ err: error, file_key: fileKey }, 'the file of a failed upload was not removed');
    }
  }

  async #checkParent(trx: Knex.Transaction, before: Post | null, after: Post): Promise<void> {
    const { blog_id, parent_id } = after;
    if (parent_id === 0 || parent_id === before?.parent_id) return;
    if (await this.#parts.store.hasParent(trx, blog_id, parent_id)) return;
    invalidParams({ parent_id: 'must be a record of the same site, and no attachment' });
  }

  async #index(trx: Knex.Transaction, post: Post, row: AttachmentRow): Promise<void> {
    await this.#parts.posts.update(trx, post.id, { search: wordsOfAttachment(post, row) });
  }
}
