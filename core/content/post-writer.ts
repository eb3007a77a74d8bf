import type { Knex } from 'knex';
import { fail } from '../api/errors.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
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
  async insert(trx: Knex.Transaction, post: Post): Promise<Post> {
    const row = { ...post, search: this.#searchText(post) };
    let { slug } = post;
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
    const search = columns.some((name) => searched.has(name)) ? { search: this.#searchText(post) } : {};
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

  #searchText({ type, title, excerpt, content, meta }: Post): string {
    const more = [...this.#metaKeys.of('post', type).values()].flatMap(({ searchable, key }) => {
      const value = searchable && Object.hasOwn(meta, key) ? meta[key] : null;
      return typeof value === 'string' ? [value] : [];
    });
    return searchText({ title, more, excerpt, content });
  }
}
