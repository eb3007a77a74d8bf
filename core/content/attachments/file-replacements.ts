import type { Knex } from 'knex';
import { CodedError } from '../../api/errors.ts';
import type { PlaybackArtifacts } from '../../artifacts/playback-artifacts.ts';
import type { Database } from '../../db/database.ts';
import { numberedName, publicName } from '../../files/public-name.ts';
import type { Storage } from '../../files/storage.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { MediaProblem } from '../../media/media-info.ts';
import type { MediaProbe } from '../../media/media-probe.ts';
import type { HostSettings } from '../../settings/host-settings.ts';
import type { MetaValues } from '../meta-keys.ts';
import type { Notices } from '../notices.ts';
import type { Post } from '../post.ts';
import { applied, changedColumns } from '../post-fields.ts';
import type { PostWriter } from '../post-writer.ts';
import type { PostStore } from '../posts-store.ts';
import { firstFree } from '../slug-numbers.ts';
import type { Attachment } from './attachment.ts';
import { wordsOfAttachment } from './attachment-fields.ts';
import type { AttachmentStore } from './attachment-store.ts';
import type { Uploader } from './attachments.ts';
import { type DerivedFiles, type DerivedTally, tallyDerived } from './derived-files.ts';
import { type ExaminedFile, examineFile, type LocalFile } from './examine-file.ts';
import { mediaProblem } from './media-problem.ts';
import { newFilePlace, storeFile } from './stored-file.ts';
import type { UnclaimedFiles } from './unclaimed-files.ts';
import type { UploadSpace } from './upload-space.ts';

export interface FileReplacementsParts {
  readonly db: Database;
  readonly storage: Storage;
  readonly probe: MediaProbe;
  readonly settings: HostSettings;
  readonly artifacts: PlaybackArtifacts;
  readonly space: UploadSpace;
  readonly store: AttachmentStore;
  readonly posts: PostStore;
  readonly writer: PostWriter;
  readonly notices: Notices;
  readonly unclaimed: UnclaimedFiles;
  readonly jobs: () => Jobs;
}

/** A stored file that is to be an attachment's. */
export interface ReplacingFile {
  readonly file_key: string;
  /** Where it would be served, were it that of a new attachment. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly facts: Omit<ExaminedFile, 'extension' | 'filename'>;
}

/** What a replacement makes of the attachment beside its file. */
export interface ReplacementFields {
  readonly filename: string;
  /** Below the site's `/files/`; that of another file must be free. */
  readonly path: string;
  /** RFC 3339 in UTC with milliseconds. */
  readonly modified_at: string;
  /** The same; absent: it stays. */
  readonly created_at?: string | undefined;
  readonly title?: string | undefined;
  /** Meta of the module that replaces, as `PostFields.moduleMeta`. */
  readonly moduleMeta?: MetaValues | undefined;
  /** What was made of the old file goes with it. */
  readonly dropDerived: boolean;
}

/** Type of the job that removes a file which its attachment has no more. */
export const deleteFileJob = 'host.delete_file';

/**
 * Puts another file behind an attachment. The new one is stored under a key of its own before any row changes, and the
 * old one is removed after the rows have: who reads meanwhile gets the one or the other, whatever fails.
 */
export class FileReplacements {
  readonly #parts: FileReplacementsParts;

  constructor(parts: FileReplacementsParts) {
    this.#parts = parts;
  }

  /** What a file is, by its content and the rules of the site. @throws `media_type_not_allowed` */
  examine(uploader: Uploader, file: LocalFile): Promise<ExaminedFile> {
    const { settings, probe } = this.#parts;
    const allowed = settings.value<readonly string[]>(uploader.state, 'upload_filetypes');
    return examineFile(file, allowed, probe, uploader.signal);
  }

  /** Why the examined file is none that could be shown or played; null when nothing is known against it. */
  problem(uploader: Uploader, file: LocalFile, examined: ExaminedFile): Promise<MediaProblem | null> {
    return mediaProblem(file, examined, this.#parts.probe, uploader.signal);
  }

  /**
   * The name that the attachment gets when it follows that of the file: free on the site, `-2`, `-3`… added where it
   * is not. Of two who ask at once both may get one name, unless a lock keeps them apart.
   */
  nameFor(sql: Knex, { post }: Attachment, { filename, extension }: ExaminedFile): Promise<string> {
    const name = publicName(filename, extension);
    return firstFree(
      (number) => numberedName(name, number),
      (names) => this.#parts.store.takenNames(sql, post.blog_id, post.id, names),
    );
  }

  /**
   * Stores the examined file, where nothing refers to it yet. Whoever does not `put` it has to `takeBack`.
   * @throws `media_quota_exceeded`, `storage_unavailable`
   */
  async store(
    uploader: Uploader,
    before: Attachment,
    file: LocalFile,
    examined: ExaminedFile,
  ): Promise<ReplacingFile> {
    const { db, storage, space, unclaimed } = this.#parts;
    const { bytes, sha256 } = file;
    const more = growth(before, bytes);
    if (more > 0) await space.check(db.knex, uploader, more);
    const { file_key, path } = newFilePlace(uploader.site.blog_id, examined, sha256);
    const { extension: _extension, filename: _filename, ...facts } = examined;
    await unclaimed.note(db.knex, file_key);
    try {
      const target = { key: file_key, contentType: examined.mime_type };
      await storeFile(storage, file, target, uploader.signal);
    } catch (error) {
      await unclaimed.takeBack(file_key);
      throw error;
    }
    return { file_key, path, bytes, sha256, facts };
  }

  /** What was made of the attachment's file: its playback artifacts, and what others know of. */
  async derived(trx: Knex.Transaction, uploader: Uploader, attachment: Attachment): Promise<DerivedTally> {
    const { blog_id, id } = attachment.post;
    const reports: DerivedFiles[] = [{ folders: await this.#parts.artifacts.counts(blog_id, id, trx) }];
    const report = (found: DerivedFiles): void => void reports.push(found);
    await this.#parts.notices.send(trx, uploader, { kind: 'attachment.derived', attachment, report });
    return tallyDerived(reports);
  }

  /**
   * Gives the stored file to the attachment; the removal of the old one begins when the transaction commits. That
   * the site changed is for the caller to say, with `Posts.touchSite`.
   * @param before the attachment, locked by this transaction
   * @returns with the number of files that went with the old one
   * @throws `media_quota_exceeded`, `storage_unavailable` when the file was swept up meanwhile, what listeners throw
   */
  async put(
    trx: Knex.Transaction,
    uploader: Uploader,
    before: Attachment,
    file: ReplacingFile,
    fields: ReplacementFields,
  ): Promise<{ readonly attachment: Attachment; readonly dropped: number }> {
    const { space, store, artifacts, unclaimed, notices } = this.#parts;
    const { file_key, bytes, sha256, facts } = file;
    const { filename, path, dropDerived } = fields;
    if (!(await unclaimed.claim(trx, file_key))) throw new CodedError('storage_unavailable', {});
    const more = growth(before, bytes);
    if (more > 0) await space.claim(trx, uploader, more);
    const row = { ...facts, filename, path, file_key, bytes, sha256 };
    await store.update(trx, before.post.id, row);
    const attachment = { ...before, ...row, post: await this.#writePost(trx, uploader, before, fields) };
    // Also those that are served for a while though they were superseded.
    let files = (await artifacts.dropAll(trx, before.post.blog_id, before.post.id)).length;
    await notices.send(trx, uploader, {
      kind: 'attachment.replaced',
      before,
      after: attachment,
      dropDerived,
      dropped: (many) => {
        files += many;
      },
    });
    await this.#discard(trx, uploader, before);
    return { attachment, dropped: files };
  }

  /** Removes a stored file that no attachment got; it never throws. */
  takeBack({ file_key }: ReplacingFile): Promise<void> {
    return this.#parts.unclaimed.takeBack(file_key);
  }

  async #writePost(
    trx: Knex.Transaction,
    uploader: Uploader,
    before: Attachment,
    { filename, title, created_at, modified_at, moduleMeta }: ReplacementFields,
  ): Promise<Post> {
    const { posts, writer, notices } = this.#parts;
    const after = {
      ...applied(before.post, before.post, { title, created_at, moduleMeta }, {}),
      modified_at,
    };
    await notices.send(trx, uploader, { kind: 'post.writing', before: before.post, after });
    await writer.update(trx, after, changedColumns(before.post, after));
    const words = wordsOfAttachment(after, { alt: before.alt, filename });
    return posts.update(trx, after.id, { search: words });
  }

  /** Noted, too: should the job fail for good, the sweep removes the file. */
  async #discard(trx: Knex.Transaction, { site }: Uploader, { file_key }: Attachment): Promise<void> {
    if (file_key === null) return;
    await this.#parts.unclaimed.note(trx, file_key);
    await this.#parts.jobs().enqueue(trx, {
      type: deleteFileJob,
      payload: { file_key },
      site,
      userId: null,
      startAfterSeconds: 0,
    });
  }
}

/** Bytes that the site's files have more with the new file than with the old one. */
const growth = (before: Attachment, bytes: number): number => Math.max(0, bytes - (before.bytes ?? 0));
