import type { Knex } from 'knex';
import type { Actor } from '../api/actor.ts';
import type { Database } from '../db/database.ts';
import type { MetaKeys } from './meta-keys.ts';
import type { Notices } from './notices.ts';
import type { Post } from './post.ts';
import type { PostChecks, TermSet } from './post-checks.ts';
import { applied, changedColumns, type PostFields } from './post-fields.ts';
import { type ListedPost, listPosts, type PostFilter } from './post-list-store.ts';
import type { PostTermStore, TermsOfPost } from './post-terms-store.ts';
import type { PostType, PostTypes } from './post-types.ts';
import type { PostWriter } from './post-writer.ts';
import type { PostStore } from './posts-store.ts';

/** A new post; it is made on the actor's site. */
export interface NewPost extends PostFields {
  readonly type: string;
  readonly author_id: number;
  readonly lang: string;
}

export interface PostParts {
  readonly db: Database;
  readonly store: PostStore;
  readonly writer: PostWriter;
  readonly checks: PostChecks;
  readonly postTerms: PostTermStore;
  readonly types: PostTypes;
  readonly metaKeys: MetaKeys;
  readonly notices: Notices;
  readonly now: () => Date;
}

/**
 * Posts of every type but attachments. Whoever writes, by whichever route or job, writes here: slug, hash, search,
 * links and the notices to other modules are right on every path. Whether the caller may is for the operation to ask.
 */
export class Posts {
  readonly #parts: PostParts;

  constructor(parts: PostParts) {
    this.#parts = parts;
  }

  /** The post of this id on the site, of whatever type and status, or null. */
  find(blogId: number, id: number, sql: Knex = this.#parts.db.knex): Promise<Post | null> {
    return this.#parts.store.find(sql, blogId, id);
  }

  /** The same, locked until the transaction ends: what is decided from it stays true. */
  lock(trx: Knex.Transaction, blogId: number, id: number): Promise<Post | null> {
    return this.#parts.store.lock(trx, blogId, id);
  }

  /** One page of posts of a type, and how many there are. Two queries. */
  list(filter: PostFilter): Promise<{ readonly items: ListedPost[]; readonly total: number }> {
    return listPosts(this.#parts.db.knex, filter);
  }

  /** Term ids of each of these posts by taxonomy; posts without any are absent. One query. */
  terms(
    postIds: readonly number[],
    sql: Knex = this.#parts.db.knex,
  ): Promise<ReadonlyMap<number, TermsOfPost>> {
    return this.#parts.postTerms.of(sql, postIds);
  }

  /**
   * @throws `rest_invalid_param` naming `parent_id`, `featured_media`, `meta.<key>` or `terms.<taxonomy>`;
   * the code of a unique meta key; what listeners of `post.writing` throw
   */
  async create(trx: Knex.Transaction, actor: Actor, given: NewPost): Promise<Post> {
    const post = await this.#create(trx, actor, await this.#parts.store.nextId(trx), given, null);
    if (post.status === 'publish') await this.touchSite(trx, post.blog_id);
    return post;
  }

  /**
   * The site changed in the eyes of its readers. Said last: a transaction that has the site's row and waits for the
   * slug of a post is in the way of whoever has the slug and waits for the row.
   */
  touchSite(trx: Knex.Transaction, blogId: number): Promise<void> {
    return this.#parts.store.touchSite(trx, blogId);
  }

  /** Ids for posts that `copy` will make, so that they can name each other. */
  reserveIds(trx: Knex.Transaction, many: number): Promise<number[]> {
    return this.#parts.store.nextIds(trx, many);
  }

  /**
   * As `create`, for a copy of another post: its content stays as it is given, also where it was once made from a
   * document, and listeners hear `post.copied` once it is there. `touchSite` is for the caller, after the last copy.
   * @param id a reserved one
   * @throws as `create`
   */
  async copy(trx: Knex.Transaction, actor: Actor, id: number, source: Post, given: NewPost): Promise<Post> {
    const post = await this.#create(trx, actor, id, given, source);
    await this.#parts.notices.send(trx, actor, { kind: 'post.copied', source, post });
    return post;
  }

  async #create(
    trx: Knex.Transaction,
    actor: Actor,
    id: number,
    given: NewPost,
    copyOf: Post | null,
  ): Promise<Post> {
    const { writer, metaKeys, notices } = this.#parts;
    const type = this.#type(given.type);
    const { author_id, lang } = given;
    const own = { id, blog_id: actor.site.blog_id, type: type.id, author_id, lang };
    const blank = blankPost(own, this.#parts.now());
    const meta = metaKeys.check('post', type.id, given.meta ?? {}, {});
    const made = applied(null, blank, given, meta);
    const after = copyOf ? { ...made, content: given.content ?? '' } : made;
    const sets = await this.#checked(trx, type, null, after, given);
    await notices.send(trx, actor, { kind: 'post.writing', before: null, after, copyOf });
    const post = await (copyOf ? writer.insertNamesake(trx, after) : writer.insert(trx, after));
    await this.#assign(trx, post, sets);
    return post;
  }

  /**
   * Writes what really changes and nothing else; without a change `modified_at` stays.
   * @param before the post, locked by this transaction
   * @throws as `create`
   */
  update(trx: Knex.Transaction, actor: Actor, before: Post, fields: PostFields): Promise<Post> {
    return this.#write(trx, actor, before, fields, this.#parts.now().toISOString());
  }

  /**
   * As `update`, but `modified_at` stays: for a record that says the same as before, under other addresses.
   * @throws as `create`
   */
  readdress(trx: Knex.Transaction, actor: Actor, before: Post, fields: PostFields): Promise<Post> {
    return this.#write(trx, actor, before, fields, before.modified_at);
  }

  /** Says of the locked post that it was written just now, where what was written is what it had. */
  async touch(trx: Knex.Transaction, post: Post): Promise<Post> {
    const { store, now } = this.#parts;
    const touched = await store.update(trx, post.id, { modified_at: now().toISOString() });
    if (post.status === 'publish') await store.touchSite(trx, post.blog_id);
    return touched;
  }

  async #write(
    trx: Knex.Transaction,
    actor: Actor,
    before: Post,
    fields: PostFields,
    modified_at: string,
  ): Promise<Post> {
    const { store, writer, metaKeys, notices } = this.#parts;
    const type = this.#type(before.type);
    const meta = metaKeys.check('post', type.id, fields.meta ?? {}, before.meta);
    const after = { ...applied(before, before, fields, meta), modified_at: before.modified_at };
    const sets = await this.#checked(trx, type, before, after, fields);
    const columns = changedColumns(before, after);
    if (columns.length === 0 && sets.length === 0) return before;
    await notices.send(trx, actor, { kind: 'post.writing', before, after });
    const stamped = { ...after, modified_at };
    const post = await writer.update(trx, stamped, [...columns, 'modified_at']);
    await this.#assign(trx, post, sets);
    if (before.status === 'publish' || post.status === 'publish') await store.touchSite(trx, post.blog_id);
    if (before.status === 'trash' && post.status !== 'trash') {
      await notices.send(trx, actor, { kind: 'post.restored', post });
    }
    return post;
  }

  /**
   * Makes the locked post one of another type. It leaves its parent, and its children move up to that; its slug gets a
   * number where another of its new kind has it. All else stays, meta of the old type too.
   * @throws what listeners of `post.writing` throw
   */
  async retype(trx: Knex.Transaction, actor: Actor, before: Post, typeId: string): Promise<Post> {
    if (before.type === typeId) return before;
    const { store, writer, notices, now } = this.#parts;
    const after = { ...before, type: this.#type(typeId).id, parent_id: 0, modified_at: now().toISOString() };
    await notices.send(trx, actor, { kind: 'post.writing', before, after });
    await store.moveChildren(trx, before);
    const post = await writer.update(trx, after, ['type', 'slug', 'parent_id', 'modified_at']);
    if (post.status === 'publish') await store.touchSite(trx, post.blog_id);
    return post;
  }

  /** Moves the locked post to the trash; one that is there stays as it is. */
  async trash(trx: Knex.Transaction, actor: Actor, before: Post): Promise<Post> {
    if (before.status === 'trash') return before;
    const { store, notices, now } = this.#parts;
    const post = await store.update(trx, before.id, {
      status: 'trash',
      trashed_status: before.status,
      modified_at: now().toISOString(),
    });
    if (before.status === 'publish') await store.touchSite(trx, post.blog_id);
    await notices.send(trx, actor, { kind: 'post.trashed', post });
    return post;
  }

  /** Takes the locked post out of the trash, to the status that it had. @throws as `update` */
  async restore(trx: Knex.Transaction, actor: Actor, before: Post): Promise<Post> {
    if (before.status !== 'trash') return before;
    const status = before.trashed_status ?? 'draft';
    return this.update(trx, actor, before, { status: status === 'trash' ? 'draft' : status });
  }

  /** Deletes the locked post for good; its children move to its parent. */
  async remove(trx: Knex.Transaction, actor: Actor, post: Post): Promise<void> {
    const { store, notices } = this.#parts;
    await store.remove(trx, post);
    if (post.status === 'publish') await store.touchSite(trx, post.blog_id);
    await notices.send(trx, actor, { kind: 'post.deleted', post });
  }

  /** Checks what the write refers to; the term sets that will really change. */
  async #checked(
    trx: Knex.Transaction,
    type: PostType,
    before: Post | null,
    after: Post,
    fields: PostFields,
  ): Promise<TermSet[]> {
    const { checks, postTerms } = this.#parts;
    await checks.links(trx, type, before, after);
    if (!fields.terms) return [];
    const sets = await checks.terms(trx, after.blog_id, fields.terms);
    const present = before ? (await postTerms.of(trx, [after.id])).get(after.id) : undefined;
    return sets.filter(({ taxonomy, ids }) => !sameIds(present?.[taxonomy] ?? [], ids));
  }

  async #assign(trx: Knex.Transaction, post: Post, sets: readonly TermSet[]): Promise<void> {
    for (const { taxonomy, ids } of sets) await this.#parts.postTerms.replace(trx, post, taxonomy, ids);
  }

  #type(id: string): PostType {
    const type = this.#parts.types.get(id);
    if (!type) throw new Error(`No module declares the post type "${id}".`);
    return type;
  }
}

const sameIds = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((id) => others.includes(id));

/** A post before anything is said of it. */
export function blankPost(own: Pick<Post, 'id' | 'blog_id' | 'type' | 'author_id' | 'lang'>, at: Date): Post {
  const now = at.toISOString();
  return {
    ...own,
    status: 'draft',
    trashed_status: null,
    title: '',
    slug: '',
    content: '',
    excerpt: '',
    parent_id: 0,
    menu_order: 0,
    featured_media: 0,
    meta: {},
    private_meta: {},
    hash: '',
    created_at: now,
    modified_at: now,
  };
}
