import {
  type Call,
  callerOf,
  fail,
  firstFree,
  maxId,
  mayEditOthers,
  type NewPost,
  type Post,
  Posts,
  type PostType,
} from '@lyceum/core';
import type { Knex } from 'knex';
import type { CopiedAttachments } from './attachment-pool.ts';
import { CopiedTexts, type Counterparts } from './copied-texts.ts';
import { copyTitle, titleBase, wantedTitle } from './copy-title.ts';
import type { CopyWish } from './copy-wish.ts';
import { DuplicateStore } from './duplicate-store.ts';
import type { Target } from './target.ts';

/** What a copy is called, and where it stands. */
export type Named = Required<Pick<NewPost, 'title' | 'slug' | 'parent_id'>>;

/** What is written of copies on one site. */
export class CopyFields {
  readonly #call: Call;
  readonly #target: Target;
  readonly #wish: CopyWish;
  readonly #type: PostType;
  readonly #texts: CopiedTexts;

  constructor(call: Call, target: Target, wish: CopyWish, type: PostType) {
    this.#call = call;
    this.#target = target;
    this.#wish = wish;
    this.#type = type;
    this.#texts = new CopiedTexts(call, target, wish.copy_meta);
  }

  /** All but the terms. */
  async of(trx: Knex.Transaction, record: Post, parts: Counterparts, named: Named): Promise<NewPost> {
    const { type, lang, menu_order, content, excerpt, ...texts } = await this.#texts.of(trx, record, parts);
    const _duplicate_of = { blog_id: record.blog_id, post_id: record.id };
    return {
      ...{ type, lang, menu_order, content, excerpt, ...named },
      author_id: this.author(record.author_id),
      status: this.#wish.status ?? this.#target.rules.defaultStatus,
      featured_media: await this.#featured(trx, record, parts.attachments),
      created_at: this.#wish.copy_date ? record.created_at : undefined,
      moduleMeta: { ...texts.meta, ...texts.private_meta, _duplicate_of },
    };
  }

  /** @param number of the copy on this site, from 1 */
  async ofRoot(trx: Knex.Transaction, record: Post, number: number): Promise<Named> {
    return {
      title: await this.#title(trx, record.title, number),
      slug: this.#wish.slug || record.slug,
      parent_id: await this.#parent(trx, record),
    };
  }

  /** Who is the author of the copy of a record by this one. */
  author(authorId: number): number {
    const isKept = this.#wish.copy_author && mayEditOthers(this.#target, this.#type);
    return isKept ? authorId : callerOf(this.#call).id;
  }

  async #title(trx: Knex.Transaction, title: string, number: number): Promise<string> {
    if (this.#wish.title !== undefined) return wantedTitle(this.#wish.title, number);
    const { titleSuffix: suffix } = this.#target.rules;
    if (suffix === '') return title;
    const base = titleBase(title, suffix);
    const store = this.#call.get(DuplicateStore);
    const { blog_id } = this.#target.site;
    return firstFree(
      (copies) => copyTitle(base, suffix, copies),
      (titles) => store.takenTitles(trx, blog_id, this.#type.id, titles),
    );
  }

  /** A wanted parent must be there; that of the source is taken as far as it is. */
  async #parent(trx: Knex.Transaction, record: Post): Promise<number> {
    const { parent_id: asked } = this.#wish;
    const wanted = asked ?? (this.#target.isHome ? record.parent_id : 0);
    if (wanted === 0 || (await this.#isParent(trx, wanted))) return wanted;
    if (asked === undefined) return 0;
    return fail('post_not_found', { data: { params: { parent_id: 'is no record of this type and site' } } });
  }

  async #isParent(trx: Knex.Transaction, id: number): Promise<boolean> {
    if (!this.#type.hierarchical || id < 0 || id > maxId) return false;
    const found = await this.#call.get(Posts).find(this.#target.site.blog_id, id, trx);
    return found?.type === this.#type.id && found.status !== 'trash';
  }

  async #featured(trx: Knex.Transaction, record: Post, { ids }: CopiedAttachments): Promise<number> {
    const { blog_id, featured_media: old } = record;
    const copy = ids.get(old);
    if (copy !== undefined) return copy;
    const stays = old !== 0 && this.#target.isHome;
    return stays && (await this.#call.get(DuplicateStore).hasAttachment(trx, blog_id, old)) ? old : 0;
  }
}
