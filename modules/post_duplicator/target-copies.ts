import {
  type Attachment,
  audit,
  type Call,
  Database,
  fail,
  type Post,
  PostLinks,
  Posts,
  type TermsOfPost,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { AttachmentPool, byContent, byRecord } from './attachment-pool.ts';
import { CopiedTerms } from './copied-terms.ts';
import type { Counterparts } from './copied-texts.ts';
import { CopyFields, type Named } from './copy-fields.ts';
import type { CopyWish } from './copy-wish.ts';
import { DuplicateStore } from './duplicate-store.ts';
import { SiteTurns } from './site-turns.ts';
import type { Source } from './source.ts';
import type { SourceAttachments } from './source-attachments.ts';
import { checkTarget, type Target } from './target.ts';

/** A copy as it is answered. */
export interface Copy {
  readonly post_id: number;
  readonly blog_id: number;
  readonly post_type: string;
  readonly title: string;
  readonly slug: string;
  readonly status: string;
  readonly parent_id: number;
  readonly source_post_id: number;
  readonly source_blog_id: number;
  readonly children: number;
  readonly attachments: number;
  readonly terms: number;
  readonly edit_url: string;
}

interface Parts {
  readonly call: Call;
  readonly source: Source;
  readonly target: Target;
  readonly wish: CopyWish;
}

/** What is written with one copy. */
interface Written {
  readonly root: Post;
  readonly records: number;
  readonly terms: number;
}

/**
 * Copies of the source to this site. What is asked about attachments is asked after the rights.
 * @throws `site_unavailable`, `rest_forbidden`, `post_type_not_duplicable`
 */
export async function copiesTo(parts: Parts, along: SourceAttachments): Promise<TargetCopies> {
  const { call, source, target, wish } = parts;
  const type = checkTarget(call, target, source.type.id, wish);
  const own = () => (wish.copy_attachments ? along.own() : []);
  const attachments = await (target.isHome ? own() : along.used());
  if (attachments.length > 0 && !target.can('upload_files')) fail('rest_forbidden');
  return new TargetCopies(parts, new CopyFields(call, target, wish, type), attachments);
}

/** Copies of one record to one site. */
export class TargetCopies {
  readonly #parts: Parts;
  readonly #fields: CopyFields;
  readonly #attachments: readonly Attachment[];
  readonly #shared: AttachmentPool;

  /** @param attachments those that are copied along */
  constructor(parts: Parts, fields: CopyFields, attachments: readonly Attachment[]) {
    this.#parts = parts;
    this.#fields = fields;
    this.#attachments = attachments;
    this.#shared = this.#pool();
  }

  #pool(): AttachmentPool {
    const { call, target } = this.#parts;
    return new AttachmentPool(call, target.uploader, this.#attachments, target.isHome ? byRecord : byContent);
  }

  /**
   * Makes one copy with what is below, in one transaction; files first.
   * @param number of the copy on this site, from 1
   * @throws `post_not_found`, `media_quota_exceeded`, `storage_unavailable`, what rules about the type throw
   */
  async copy(number: number): Promise<Copy> {
    const { call, target } = this.#parts;
    // On another site copies share their attachments; at home each has its own.
    const pool = target.isHome ? this.#pool() : this.#shared;
    try {
      await pool.store();
      return await call.get(SiteTurns).take(target.site.blog_id, async () => {
        const { copy, attachments } = await call
          .get(Database)
          .transaction((trx) => this.#write(trx, number, pool));
        pool.keep(attachments);
        return copy;
      });
    } finally {
      if (target.isHome) await pool.end();
    }
  }

  /** Removes files that were copied for copies that were not made. */
  end(): Promise<void> {
    return this.#shared.end();
  }

  async #write(trx: Knex.Transaction, number: number, pool: AttachmentPool) {
    const { call, source, target } = this.#parts;
    const { blog_id } = target.site;
    const store = call.get(DuplicateStore);
    call.signal.throwIfAborted();
    await store.lockCopies(trx, blog_id);
    if (!(await store.isReady(trx, blog_id))) fail('unknown_blog');
    const ids = [source.post.id, ...source.below];
    const reserved = await call.get(Posts).reserveIds(trx, ids.length);
    const copiedTerms = new CopiedTerms(call, target, trx);
    const terms = await this.#terms(copiedTerms, ids);
    const counterparts: Counterparts = {
      attachments: await pool.create(trx, ({ post }) => this.#fields.author(post.author_id)),
      records: new Map(ids.map((id, at) => [id, reserved[at] as number])),
      terms: copiedTerms.map,
    };
    const written = await this.#writeRecords(trx, ids, counterparts, terms, number);
    await pool.place(trx, counterparts.attachments, counterparts.records);
    const isSeen = written.root.status === 'publish' || counterparts.attachments.fresh.size > 0;
    if (isSeen) await call.get(Posts).touchSite(trx, blog_id);
    if (!target.isHome) await this.#audit(trx, written.root);
    return { copy: this.#shown(written, counterparts), attachments: counterparts.attachments };
  }

  #terms(copied: CopiedTerms, ids: readonly number[]): Promise<ReadonlyMap<number, TermsOfPost>> {
    return this.#parts.wish.copy_terms ? copied.of(ids) : Promise.resolve(new Map());
  }

  /** Each record behind its parent. */
  async #writeRecords(
    trx: Knex.Transaction,
    [rootId, ...below]: readonly number[],
    counterparts: Counterparts,
    terms: ReadonlyMap<number, TermsOfPost>,
    number: number,
  ): Promise<Written> {
    const { call, source, target } = this.#parts;
    const { blog_id, type } = source.post;
    const posts = call.get(Posts);
    const made = new Set<number>();
    let assigned = 0;
    const write = async (record: Post, named: Named): Promise<Post> => {
      const sets = terms.get(record.id) ?? {};
      const fields = await this.#fields.of(trx, record, counterparts, named);
      const id = counterparts.records.get(record.id) as number;
      const copy = await posts.copy(trx, target.uploader, id, record, { ...fields, terms: sets });
      made.add(record.id);
      assigned += Object.values(sets).flat().length;
      return copy;
    };
    const find = async (id: number): Promise<Post | null> => {
      const record = await posts.find(blog_id, id, trx);
      return record?.type === type && record.status !== 'trash' ? record : null;
    };
    const first = (await find(rootId as number)) ?? fail('post_not_found');
    const root = await write(first, await this.#fields.ofRoot(trx, first, number));
    for (const id of below) {
      call.signal.throwIfAborted();
      const record = await find(id);
      // Moved elsewhere, or to the trash, since the request began.
      if (!record || !made.has(record.parent_id)) continue;
      await write(record, {
        title: record.title,
        slug: record.slug,
        parent_id: counterparts.records.get(record.parent_id) as number,
      });
    }
    return { root, records: made.size, terms: assigned };
  }

  #audit(trx: Knex.Transaction, copy: Post): Promise<void> {
    const { source, target } = this.#parts;
    return audit(trx, target.uploader, {
      module: 'post_duplicator',
      action: 'post.duplicate',
      subject: `post:${copy.id}`,
      from: { blog_id: source.post.blog_id, post_id: source.post.id },
      to: { blog_id: copy.blog_id, post_id: copy.id },
    });
  }

  #shown({ root, records, terms }: Written, { attachments }: Counterparts): Copy {
    const { call, source, target } = this.#parts;
    const { id, blog_id, type, title, slug, status, parent_id } = root;
    return {
      ...{ post_id: id, blog_id, post_type: type, title, slug, status, parent_id },
      source_post_id: source.post.id,
      source_blog_id: source.post.blog_id,
      children: records - 1,
      attachments: new Set(attachments.ids.values()).size,
      terms,
      edit_url: call.get(PostLinks).edit(target.site, id),
    };
  }
}
