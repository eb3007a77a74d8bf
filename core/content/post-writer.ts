import type { Knex } from 'knex';
import { type CodedError, fail, isCoded } from '../api/errors.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { freeSlugs } from './free-slugs.ts';
import type { MetaKeys, RegisteredMeta } from './meta-keys.ts';
import type { Post } from './post.ts';
import type { PostRow, PostStore } from './posts-store.ts';
import { searchText } from './search-text.ts';
import { numberedSlug } from './slug.ts';
import { firstFree } from './slug-numbers.ts';

/** Rounds of looking for a free slug that somebody else takes meanwhile. */
const mostRounds = 100;

const searched: ReadonlySet<keyof Post> = new Set(['title', 'excerpt', 'content', 'meta']);

/** Writes posts under a free slug, and says whose value a unique meta key has. */
export class PostWriter {
  readonly #store: PostStore;
  readonly #metaKeys: MetaKeys;

  constructor(store: PostStore, metaKeys: MetaKeys) {
    this.#store = store;
    this.#metaKeys = metaKeys;
  }

  /** @throws the code of a unique meta key, with `data.post_id` */
  insert(trx: Knex.Transaction, post: Post): Promise<Post> {
    return this.#insert(trx, post, this.searchText(post, []), post.slug);
  }

  /**
   * The same for a post whose slug is likely taken: looks first, since a refused row costs as much as a written one.
   * @throws as `insert`
   */
  async insertNamesake(trx: Knex.Transaction, post: Post): Promise<Post> {
    return this.#insert(trx, post, this.searchText(post, []), await this.#freeSlug(trx, post));
  }

  /**
   * Inserts new posts of one site, most of them in one statement, each as `insert` would. In the place of one that
   * a unique meta key refuses stands its error.
   * @param words texts by whose words a post is found besides its own, by id
   */
  async insertMany(
    trx: Knex.Transaction,
    posts: readonly Post[],
    words: ReadonlyMap<number, readonly string[]>,
  ): Promise<(Post | CodedError)[]> {
    const slugs = await freeSlugs(posts, (type, wanted) => {
      const anybody = { blog_id: posts[0]?.blog_id ?? 0, type, id: 0 };
      return this.#store.takenSlugs(trx, anybody, wanted);
    });
    const rows = posts.map((post) => ({
      ...post,
      slug: slugs.get(post.id) ?? post.slug,
      search: this.searchText(post, words.get(post.id) ?? []),
    }));
    const plain = rows.filter((row) => this.#uniqueKeys(row).length === 0);
    const inserted = await this.#store.insertMany(trx, plain);
    const written: (Post | CodedError)[] = [];
    for (const { search, ...post } of rows) {
      if (inserted.has(post.id)) written.push(post);
      else written.push(await this.#insert(trx, post, search, post.slug).catch(onlyCoded));
    }
    return written;
  }

  /** @param first slug to be tried; others are made from the one of the post */
  async #insert(trx: Knex.Transaction, post: Post, search: string, first: string): Promise<Post> {
    const row = { ...post, search };
    let slug = first;
    for (let round = 0; round < mostRounds; round += 1) {
      const written = await this.#unique(trx, post, (sql) => this.#store.insert(sql, { ...row, slug }));
      if (written) return written;
      slug = await this.#freeSlug(trx, post);
    }
    return fail('rest_conflict');
  }

  /** Writes the named columns. @throws as `insert` */
  async update(trx: Knex.Transaction, post: Post, columns: readonly (keyof Post)[]): Promise<Post> {
    const row = Object.fromEntries(columns.map((name) => [name, post[name]])) as Partial<PostRow>;
    const search = columns.some((name) => searched.has(name)) ? { search: this.searchText(post, []) } : {};
    if (!columns.includes('slug')) {
      return this.#unique(trx, post, (sql) => this.#store.update(sql, post.id, { ...row, ...search }));
    }
    for (let round = 0; round < mostRounds; round += 1) {
      const slug = await this.#freeSlug(trx, post);
      try {
        return await this.#unique(trx, post, (sql) =>
          sql.transaction((savepoint) => this.#store.update(savepoint, post.id, { ...row, ...search, slug })),
        );
      } catch (error) {
        if (!isUniqueViolation(error, 'posts_slug')) throw error;
      }
    }
    return fail('rest_conflict');
  }

  #freeSlug(sql: Knex, post: Post): Promise<string> {
    return firstFree(
      (number) => numberedSlug(post.slug, number),
      (slugs) => this.#store.takenSlugs(sql, post, slugs),
    );
  }

  /** Runs the write in a savepoint where an index of a unique meta key may refuse it. */
  async #unique<T>(
    trx: Knex.Transaction,
    post: Post,
    write: (sql: Knex.Transaction) => Promise<T>,
  ): Promise<T> {
    const keys = this.#uniqueKeys(post);
    if (keys.length === 0) return write(trx);
    try {
      return await trx.transaction(write);
    } catch (error) {
      const refused = keys.find(({ unique }) => isUniqueViolation(error, unique?.index));
      if (!refused?.unique) throw error;
      const holder = await this.#store.holderOf(trx, post, refused.key, post.meta[refused.key]);
      if (holder === null) return fail('rest_conflict');
      return fail(refused.unique.code, { data: { post_id: holder } });
    }
  }

  #uniqueKeys(post: Post): RegisteredMeta[] {
    return [...this.#metaKeys.of('post', post.type).values()].filter(
      ({ unique, key }) => unique !== undefined && Object.hasOwn(post.meta, key),
    );
  }

  /** By whose words the post is found; `words` are texts besides its own. */
  searchText(
    { type, title, excerpt, content, meta }: Pick<Post, 'type' | 'title' | 'excerpt' | 'content' | 'meta'>,
    words: readonly string[],
  ): string {
    const registered = [...this.#metaKeys.of('post', type).values()].flatMap(({ searchable, key }) => {
      const value = searchable && Object.hasOwn(meta, key) ? meta[key] : null;
      return typeof value === 'string' ? [value] : [];
    });
    return searchText({ title, more: [...words, ...registered], excerpt, content });
  }
}

/** For one of many: a coded error becomes its result, any other ends them all. */
export function onlyCoded(error: unknown): CodedError {
  if (isCoded(error)) return error;
  throw error;
}
