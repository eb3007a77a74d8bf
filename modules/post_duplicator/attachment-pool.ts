import {
  type Attachment,
  AttachmentCopies,
  type AttachmentRow,
  type AttachmentStatus,
  Attachments,
  type Call,
  type Uploader,
} from '@lyceum/core';
import type { Knex } from 'knex';

/** What became of attachments, as one transaction sees it. */
export interface CopiedAttachments {
  /** New ids by old ones. */
  readonly ids: ReadonlyMap<number, number>;
  /** New paths of files by old ones. */
  readonly paths: ReadonlyMap<string, string>;
  /** Those that this transaction wrote: to be handed back to `keep` when it has ended well. */
  readonly fresh: ReadonlyMap<string, Attachment>;
}

/** Attachments of one key share a copy. */
export type PoolKey = (source: Attachment) => string;

export const byRecord: PoolKey = ({ post }) => String(post.id);

/** One copy for the same bytes, under whatever name; one without a file is like no other. */
export const byContent: PoolKey = (source) => source.sha256 ?? byRecord(source);

/**
 * Copies of attachments for one site: each file is copied once, and its rows are written by the first transaction
 * that ends well.
 */
export class AttachmentPool {
  readonly #call: Call;
  readonly #uploader: Uploader;
  readonly #sources: readonly Attachment[];
  readonly #keyOf: PoolKey;
  readonly #stored = new Map<string, AttachmentRow>();
  readonly #kept = new Map<string, Attachment>();

  constructor(call: Call, uploader: Uploader, sources: readonly Attachment[], keyOf: PoolKey) {
    this.#call = call;
    this.#uploader = uploader;
    this.#sources = sources;
    this.#keyOf = keyOf;
  }

  /**
   * Copies the files that were not copied yet; one that is missing in the source is left out with its attachment.
   * @throws `media_quota_exceeded`, `storage_unavailable`
   */
  async store(): Promise<void> {
    const copies = this.#call.get(AttachmentCopies);
    for (const source of this.#sources) {
      const key = this.#keyOf(source);
      const row = this.#stored.has(key) ? null : await copies.store(this.#uploader, source);
      if (row) this.#stored.set(key, row);
    }
  }

  /** Writes the rows that are not there yet. @param authorOf who is the author of the copy of one */
  async create(trx: Knex.Transaction, authorOf: (source: Attachment) => number): Promise<CopiedAttachments> {
    const ids = new Map<number, number>();
    const paths = new Map<string, string>();
    const fresh = new Map<string, Attachment>();
    for (const source of this.#sources) {
      const key = this.#keyOf(source);
      const row = this.#stored.get(key);
      if (!row) continue;
      let copy = this.#kept.get(key) ?? fresh.get(key);
      if (!copy) {
        copy = await this.#write(trx, source, row, authorOf(source));
        fresh.set(key, copy);
      }
      ids.set(source.post.id, copy.post.id);
      if (source.path !== null && copy.path !== null) paths.set(source.path, copy.path);
    }
    return { ids, paths, fresh };
  }

  #write(
    trx: Knex.Transaction,
    { post, alt }: Attachment,
    row: AttachmentRow,
    author_id: number,
  ): Promise<Attachment> {
    const { title, slug, excerpt } = post;
    const status: AttachmentStatus = post.status === 'private' ? 'private' : 'publish';
    const given = { title, slug, alt, caption: excerpt, status, author_id };
    return this.#call.get(AttachmentCopies).create(trx, this.#uploader, { ...row, alt }, given);
  }

  /** Puts copies under the copies of the records that the sources belong to. */
  async place(
    trx: Knex.Transaction,
    { fresh }: CopiedAttachments,
    records: ReadonlyMap<number, number>,
  ): Promise<void> {
    const attachments = this.#call.get(Attachments);
    for (const source of this.#sources) {
      const copy = fresh.get(this.#keyOf(source));
      const parent_id = records.get(source.post.parent_id);
      if (!copy || parent_id === undefined) continue;
      const locked = await attachments.lock(trx, copy.post.blog_id, copy.post.id);
      if (locked) await attachments.update(trx, this.#uploader, locked, { parent_id });
    }
  }

  /** The transaction that wrote them has ended well. */
  keep({ fresh }: CopiedAttachments): void {
    for (const [key, copy] of fresh) this.#kept.set(key, copy);
  }

  /** Removes the files that no attachment got. */
  async end(): Promise<void> {
    for (const [key, { file_key }] of this.#stored) {
      if (!this.#kept.has(key)) await this.#call.get(AttachmentCopies).takeBack(file_key);
    }
  }
}
