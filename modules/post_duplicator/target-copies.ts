import {
  type Attachment,
  audit,
  type Call,
  callerOf,
  Database,
  fail,
  firstFree,
  maxId,
  type NewPost,
  type Post,
  PostLinks,
  Posts,
  type PostType,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { AttachmentPool, type CopiedAttachments } from './attachment-pool.ts';
import { CopiedTerms, isTaken, type TermMap } from './copied-terms.ts';
import { CopiedTexts, type Counterparts } from './copied-texts.ts';
import { copyTitle, titleBase, wantedTitle } from './copy-title.ts';
import type { CopyWish } from './copy-wish.ts';
import { DuplicateStore } from './duplicate-store.ts';
import type { Source } from './source.ts';
import { checkTarget, mayKeepAuthor, type Target } from './target.ts';

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

type Written = Counterparts & { readonly records: Map<number, number> };

/** Copies of one record to one site. */
export class TargetCopies {
  readonly #call: Call;
  readonly #source: Source;
  readonly #target: Target;
  readonly #wish: CopyWish;
  readonly #attachments: readonly Attachment[];
  readonly #type: PostType;
  readonly #shared: AttachmentPool;

  /**
   * @param attachments those that are copied along
   * @throws `rest_forbidden`, `site_unavailable`, `post_type_not_duplicable` when the caller may make none there
   */
  constructor(
    call: Call,
    source: Source,
    target: Target,
    wish: CopyWish,
    attachments: readonly Attachment[],
  ) {
    this.#call = call;
    this.#source = source;
    this.#target = target;
    this.#wish = wish;
    this.#attachments = attachments;
    this.#type = checkTarget(call, target, source.type.id, wish);
    if (attachments.length > 0 && !target.can('upload_files')) fail('rest_forbidden');
    this.#shared = this.#newPool();
  }

  #newPool(): AttachmentPool {
    return new AttachmentPool(this.#call, this.#target.uploader, this.#attachments);
  }

  /**
   * Makes one copy with what is below, in one transaction; files first.
   * @param number of the copy on this site, from 1
   * @throws `post_not_found`, `media_quota_exceeded`, `storage_unavailable`, what rules about the type throw
   */
  async copy(number: number): Promise<Copy> {
    // On another site copies share their attachments; at home each has its own.
    const pool = this.#target.isHome ? this.#newPool() : this.#shared;
    try {
      await pool.store();
      const { copy, attachments } = await this.#call
        .get(Database)
        .transaction((trx) => this.#write(trx, number, pool));
      pool.keep(attachments);
      return copy;
    } finally {
      if (this.#target.isHome) await pool.end();
    }
  }

  /** Removes files that were copied for copies that were not made. */
  end(): Promise<void> {
    return this.#shared.end();
  }

  async #write(trx: Knex.Transaction, number: number, pool: AttachmentPool) {
    const { post, below } = this.#source;
    const ids = [post.id, ...below];
    const written: Written = {
      attachments: await pool.create(trx, ({ post: { author_id } }) => this.#author(author_id)),
      records: new Map(),
      terms: await this.#terms(trx, ids),
    };
    let root: Post | null = null;
    let terms = 0;
    for (const id of ids) {
      const record = await this.#call.get(Posts).find(post.blog_id, id, trx);
      if (record?.type !== post.type || record.status === 'trash') {
        if (id === post.id) fail('post_not_found');
        continue;
      }
      const fields = await this.#fields(trx, record, written, root, number);
      const copy = await this.#call.get(Posts).create(trx, this.#target.uploader, fields);
      written.records.set(id, copy.id);
      terms += Object.values(fields.terms ?? {}).flat().length;
      root ??= copy;
    }
    if (!root) return fail('post_not_found');
    await pool.place(trx, written.attachments, written.records);
    if (!this.#target.isHome) await this.#audit(trx, root);
    return { copy: this.#shown(root, written, terms), attachments: written.attachments };
  }

  async #fields(
    trx: Knex.Transaction,
    record: Post,
    written: Written,
    root: Post | null,
    number: number,
  ): Promise<NewPost> {
    const { rules, isHome } = this.#target;
    const { copy_meta, copy_date, status } = this.#wish;
    const texts = await new CopiedTexts(this.#call, this.#target).of(trx, record, written, copy_meta);
    const { type, lang, menu_order, content, excerpt } = texts;
    const duplicateOf = { blog_id: record.blog_id, post_id: record.id };
    return {
      ...{ type, lang, menu_order, content, excerpt },
      author_id: this.#author(record.author_id),
      status: status ?? rules.defaultStatus,
      title: root ? record.title : await this.#title(trx, record.title, number),
      slug: root ? record.slug : (this.#wish.slug ?? record.slug),
      parent_id: root ? (written.records.get(record.parent_id) ?? root.id) : await this.#parent(trx, record),
      featured_media: await this.#featured(trx, record, written.attachments, isHome),
      created_at: copy_date ? record.created_at : undefined,
      moduleMeta: { ...texts.meta, ...texts.private_meta, _duplicate_of: duplicateOf },
      terms: await this.#termSets(trx, record, written.terms),
    };
  }

  #author(authorId: number): number {
    const { copy_author } = this.#wish;
    return copy_author && mayKeepAuthor(this.#call, this.#target, this.#type)
      ? authorId
      : callerOf(this.#call).id;
  }

  async #title(trx: Knex.Transaction, title: string, number: number): Promise<string> {
    if (this.#wish.title !== undefined) return wantedTitle(this.#wish.title, number);
    const { titleSuffix: suffix } = this.#target.rules;
    if (suffix === '') return title;
    const base = titleBase(title, suffix);
    const store = this.#call.get(DuplicateStore);
    const { blog_id } = this.#target.site;
    await store.lockTitle(trx, blog_id, this.#type.id, base);
    return firstFree(
      (copies) => copyTitle(base, suffix, copies),
      (titles) => store.takenTitles(trx, blog_id, this.#type.id, titles),
    );
  }

  /** The parent of the copy itself. */
  async #parent(trx: Knex.Transaction, record: Post): Promise<number> {
    const wanted = this.#wish.parent_id ?? (this.#target.isHome ? record.parent_id : 0);
    if (wanted === 0 || (this.#wish.parent_id === undefined && !this.#type.hierarchical)) return 0;
    const found =
      wanted > 0 && wanted <= maxId
        ? await this.#call.get(Posts).find(this.#target.site.blog_id, wanted, trx)
        : null;
    if (found?.type === this.#type.id && found.status !== 'trash') return wanted;
    if (this.#wish.parent_id === undefined) return 0;
    return fail('post_not_found', { data: { params: { parent_id: 'is no record of this type and site' } } });
  }

  async #featured(
    trx: Knex.Transaction,
    { blog_id, featured_media: old }: Post,
    { ids }: CopiedAttachments,
    isHome: boolean,
  ): Promise<number> {
    const copy = ids.get(old);
    if (copy !== undefined || old === 0 || !isHome) return copy ?? 0;
    const present = await this.#call.get(DuplicateStore).present(trx, blog_id, 'posts', [old]);
    return present.has(old) ? old : 0;
  }

  async #terms(trx: Knex.Transaction, ids: readonly number[]): Promise<TermMap> {
    if (this.#target.isHome || !this.#wish.copy_terms) return new Map();
    return new CopiedTerms(this.#call, this.#target, trx).map(ids);
  }

  async #termSets(
    trx: Knex.Transaction,
    { id }: Post,
    map: TermMap,
  ): Promise<Readonly<Record<string, readonly number[]>>> {
    if (!this.#wish.copy_terms) return {};
    const assigned = (await this.#call.get(Posts).terms([id], trx)).get(id) ?? {};
    const sets = Object.entries(assigned).flatMap(([taxonomy, terms]) => {
      if (!isTaken(this.#call, this.#target, taxonomy)) return [];
      const here = this.#target.isHome ? terms : terms.flatMap((term) => map.get(term) ?? []);
      return here.length === 0 ? [] : [[taxonomy, here] as const];
    });
    return Object.fromEntries(sets);
  }

  #audit(trx: Knex.Transaction, copy: Post): Promise<void> {
    const { post } = this.#source;
    return audit(trx, this.#target.uploader, {
      module: 'post_duplicator',
      action: 'post.duplicate',
      subject: `post:${copy.id}`,
      from: { blog_id: post.blog_id, post_id: post.id },
      to: { blog_id: copy.blog_id, post_id: copy.id },
    });
  }

  #shown(copy: Post, { attachments, records }: Written, terms: number): Copy {
    const { id, blog_id, type, title, slug, status, parent_id } = copy;
    return {
      ...{ post_id: id, blog_id, post_type: type, title, slug, status, parent_id },
      source_post_id: this.#source.post.id,
      source_blog_id: this.#source.post.blog_id,
      children: records.size - 1,
      attachments: new Set(attachments.ids.values()).size,
      terms,
      edit_url: this.#call.get(PostLinks).edit(this.#target.site, id),
    };
  }
}
