import {
  type Attachment,
  audit,
  type Call,
  CodedError,
  callerOf,
  Database,
  ErrorMapper,
  type ExaminedFile,
  FileReferences,
  FileReplacements,
  fail,
  isActive,
  isCoded,
  type LocalFile,
  Posts,
  type ReferenceCounts,
  type ReplacingFile,
  type Uploader,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { presentArtifacts } from './artifacts.ts';
import { lockEditable } from './find-attachment.ts';
import { replacedKey, replacedOf } from './meta.ts';
import type { ReplaceType, TimestampChoice } from './settings.ts';
import { uploadLimit } from './upload-limit.ts';

/** What somebody wants of a replacement. */
export interface ReplacementWish {
  readonly replaceType: ReplaceType;
  readonly timestamps: TimestampChoice;
  /** RFC 3339; given with choice 3. */
  readonly customDate: string | undefined;
  readonly title: string | undefined;
  /** What was made of the old file may go. */
  readonly removeArtifacts: boolean;
}

export interface Replaced {
  readonly before: Attachment;
  readonly after: Attachment;
  readonly references: ReferenceCounts;
  readonly artifactsRemoved: number;
}

/** Records that one replacement changes. */
const mostReferences = 50_000;

/** Well before the answer is given up: what has not been committed by then never is. */
const timeLimitMs = 290_000;

const noReferences: ReferenceCounts = { posts: 0, terms: 0, options: 0 };

/** Puts an uploaded file in the place of an attachment's: all that can be checked first, then one transaction. */
export class Replacement {
  readonly #call: Call;
  readonly #uploader: Uploader;
  readonly #files: FileReplacements;
  readonly #wish: ReplacementWish;

  constructor(call: Call, wish: ReplacementWish) {
    const { site, user, ip, requestId, state } = call;
    this.#call = call;
    this.#wish = wish;
    // The upload is here: a client that goes away now misses the answer only, and may ask again for it.
    this.#uploader = { site, user, ip, requestId, state, signal: AbortSignal.timeout(timeLimitMs) };
    this.#files = call.get(FileReplacements);
  }

  /**
   * @throws `file_type_not_allowed`, `rest_body_too_large`, `mime_type_mismatch`, `invalid_media`,
   *   `playback_artifacts_present`, `media_quota_exceeded`, `attachment_not_found`, `rest_forbidden`,
   *   `too_many_references`, `replace_failed`
   */
  async run(found: Attachment, file: LocalFile): Promise<Replaced> {
    const examined = await this.#examine(found, file);
    await this.#call.get(Database).transaction((trx) => this.#checkArtifacts(trx, found));
    let stored: ReplacingFile | null = null;
    try {
      const fresh = await this.#files.store(this.#uploader, found, file, examined);
      stored = fresh;
      return await this.#call
        .get(Database)
        .transaction((trx) => this.#put(trx, found.post.id, fresh, examined));
    } catch (error) {
      if (stored) await this.#files.takeBack(stored);
      throw this.#failure(error);
    }
  }

  async #examine(found: Attachment, file: LocalFile): Promise<ExaminedFile> {
    const examined = await this.#files.examine(this.#uploader, file).catch((error: unknown) => {
      if (isCoded(error) && error.code === 'media_type_not_allowed') return null;
      throw error;
    });
    if (!examined || isActive(examined.mime_type)) return fail('file_type_not_allowed');
    if (file.bytes > uploadLimit(this.#call, examined.mime_type)) fail('rest_body_too_large');
    this.#checkType(found, examined);
    const reason = await this.#files.problem(this.#uploader, file, examined);
    if (reason !== null) fail('invalid_media', { data: { reason } });
    return examined;
  }

  /** The address stays, and with it what a browser and a page expect under it. */
  #checkType(
    { mime_type: expected }: Attachment,
    { mime_type: given }: { readonly mime_type: string },
  ): void {
    if (this.#wish.replaceType !== 'replace' || given === expected) return;
    fail('mime_type_mismatch', { data: { expected, given } });
  }

  async #checkArtifacts(trx: Knex.Transaction, attachment: Attachment): Promise<void> {
    const derived = await this.#files.derived(trx, this.#uploader, attachment);
    if (!derived.present || this.#wish.removeArtifacts) return;
    fail('playback_artifacts_present', { data: { playback_artifacts: presentArtifacts(derived) } });
  }

  async #put(
    trx: Knex.Transaction,
    id: number,
    file: ReplacingFile,
    examined: ExaminedFile,
  ): Promise<Replaced> {
    const call = this.#call;
    const follows = this.#wish.replaceType === 'replace_and_search';
    // Before any row: others who change texts all over the site lock them in another order.
    if (follows) await call.get(FileReferences).lock(trx, call.site.blog_id);
    const before = await lockEditable(trx, call, id);
    this.#checkType(before, examined);
    await this.#checkArtifacts(trx, before);
    const filename = follows ? await this.#files.nameFor(trx, before, examined) : before.filename;
    const { attachment: after, dropped } = await this.#files.put(trx, this.#uploader, before, file, {
      ...this.#fields(before),
      filename,
      path: pathOf(before, file, follows ? filename : null),
    });
    const references = await this.#moveReferences(trx, before, after);
    const replaced = { before, after, references, artifactsRemoved: dropped };
    await this.#audit(trx, replaced);
    const changesTexts = references.posts + references.terms + references.options > 0;
    if (after.post.status === 'publish' || changesTexts) {
      await call.get(Posts).touchSite(trx, call.site.blog_id);
    }
    this.#uploader.signal.throwIfAborted();
    return replaced;
  }

  #fields(before: Attachment) {
    const { timestamps, customDate, title, removeArtifacts } = this.#wish;
    const now = this.#call.now().toISOString();
    const custom = customDate === undefined ? undefined : new Date(customDate).toISOString();
    const count = (replacedOf(before)?.count ?? 0) + 1;
    return {
      title,
      modified_at: now,
      created_at: { 1: now, 2: undefined, 3: custom }[timestamps],
      moduleMeta: { [replacedKey]: { at: now, user_id: callerOf(this.#call).id, count } },
      dropDerived: removeArtifacts,
    };
  }

  async #moveReferences(
    trx: Knex.Transaction,
    before: Attachment,
    after: Attachment,
  ): Promise<ReferenceCounts> {
    if (before.path === null || after.path === null || before.path === after.path) return noReferences;
    const file = { site: this.#call.site, path: before.path };
    const moved = await this.#call.get(FileReferences).move(trx, file, after.path, mostReferences);
    return moved ?? fail('too_many_references');
  }

  async #audit(
    trx: Knex.Transaction,
    { before, after, references, artifactsRemoved }: Replaced,
  ): Promise<void> {
    await audit(trx, this.#call, {
      module: 'enable_media_replace',
      action: 'enable_media_replace.replace',
      subject: `attachment:${after.post.id}`,
      from: fileFacts(before),
      to: {
        ...fileFacts(after),
        replace_type: this.#wish.replaceType,
        references_updated: references,
        artifacts_removed: artifactsRemoved,
      },
    });
  }

  /** Whatever the host has no better answer to: the old file is still there, and that is what is told. */
  #failure(error: unknown): unknown {
    const known = isCoded(error) ? error.code : this.#call.get(ErrorMapper).describe(error)?.code;
    if (known !== undefined && known !== 'storage_unavailable') return error;
    return new CodedError('replace_failed', { cause: isCoded(error) ? (error.cause ?? error) : error });
  }
}

const fileFacts = ({ filename, mime_type, bytes, sha256 }: Attachment) => ({
  filename,
  mime_type,
  bytes,
  sha256,
});

/** One that had no file here gets the address of a new one. @param filename null where the address stays */
function pathOf({ path }: Attachment, file: ReplacingFile, filename: string | null): string {
  if (path === null) return file.path;
  return filename === null ? path : `${path.slice(0, path.lastIndexOf('/') + 1)}${filename}`;
}
