import type { Knex } from 'knex';
import type { Post, PostStatus } from './post.ts';

/** The columns of a post that are written. `search` is the text whose words are found. */
export interface PostRow {
  readonly status: PostStatus;
  readonly trashed_status: PostStatus | null;
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly excerpt: string;
  readonly author_id: number;
  readonly parent_id: number;
  readonly menu_order: number;
  readonly lang: string;
  readonly featured_media: number;
  readonly meta: Post['meta'];
  readonly private_meta: Post['private_meta'];
  readonly hash: string;
  readonly created_at: string;
  readonly modified_at: string;
  readonly search: string;
}

export type NewPostRow = PostRow & Pick<Post, 'id' | 'blog_id' | 'type'>;

/** The columns of a post as modules see it, in the order of its type. */
export const postColumns: readonly string[] = (
  'id blog_id type status trashed_status title slug content excerpt author_id parent_id menu_order lang ' +
  'featured_media meta private_meta hash created_at modified_at'
).split(' ');

/** The row as PostgreSQL takes it: JSON as text, the search text as its vector. */
function written(sql: Knex, row: Partial<NewPostRow>): Record<string, unknown> {
  return {
    ...row,
    ...(row.meta && { meta: JSON.stringify(row.meta) }),
    ...(row.private_meta && { private_meta: JSON.stringify(row.private_meta) }),
    ...(row.search !== undefined && { search: sql.raw(`to_tsvector('simple', ?)`, [row.search]) }),
    ...(row.status !== undefined && { trashed_at: row.status === 'trash' ? sql.fn.now() : null }),
  };
}

/** Reads and writes single posts. */
export class PostStore {
  /** The post of this id on the site, of whatever type and status. */
  async find(sql: Knex, blogId: number, id: number): Promise<Post | null> {
    return (await sql<Post>('posts').where({ id, blog_id: blogId }).first(postColumns)) ?? null;
  }

  /** The same, kept as it is until the transaction ends; others may still refer to it. */
  async lock(trx: Knex.Transaction, blogId: number, id: number): Promise<Post | null> {
    const query = trx<Post>('posts').where({ id, blog_id: blogId }).forNoKeyUpdate();
    return (await query.first(postColumns)) ?? null;
  }

  /** An id that no post has had or will have. */
  async nextId(trx: Knex.Transaction): Promise<number> {
    const [id] = await this.nextIds(trx, 1);
    return id as number;
  }

  /** So many of them, ascending. */
  async nextIds(trx: Knex.Transaction, many: number): Promise<number[]> {
    const { rows } = (await trx.raw(
      `select nextval(pg_get_serial_sequence('posts', 'id'))::int as id from generate_series(1, ?)`,
      [many],
    )) as { rows: { id: number }[] };
    return rows.map(({ id }) => id);
  }

  /** Null when the slug is taken; another unique index that refuses the row throws. */
  async insert(trx: Knex.Transaction, row: NewPostRow): Promise<Post | null> {
    const values = Object.entries(written(trx, row));
    const { rows } = (await trx.raw(
      `insert into posts (${values.map(() => '??').join(', ')}) overriding system value
       values (${values.map(() => '?').join(', ')})
       on conflict (blog_id, type, slug) do nothing
       returning ${postColumns.join(', ')}`,
      [...values.map(([name]) => name), ...values.map(([, value]) => value as Knex.Value)],
    )) as { rows: Post[] };
    return rows[0] ?? null;
  }

  /** Inserts many rows in one statement: ids of those whose slug was free. As `insert` otherwise. */
  async insertMany(trx: Knex.Transaction, posts: readonly NewPostRow[]): Promise<ReadonlySet<number>> {
    if (posts.length === 0) return new Set();
    const { rows } = (await trx.raw(
      `insert into posts (${postColumns.join(', ')}, trashed_at, search) overriding system value
       select ${postColumns.join(', ')}, case when status = 'trash' then now() end, to_tsvector('simple', words)
       from json_to_recordset(?::json) as brought (
         id int, blog_id int, type text, status text, trashed_status text, title text, slug text, content text,
         excerpt text, author_id int, parent_id int, menu_order int, lang text, featured_media int, meta jsonb,
         private_meta jsonb, hash text, created_at timestamptz, modified_at timestamptz, words text)
       on conflict (blog_id, type, slug) do nothing returning id`,
      [JSON.stringify(posts.map(({ search, ...post }) => ({ ...post, words: search })))],
    )) as { rows: { id: number }[] };
    return new Set(rows.map(({ id }) => id));
  }

  /** The posts of these ids on the site, kept as they are until the transaction ends. */
  async lockMany(trx: Knex.Transaction, blogId: number, ids: readonly number[]): Promise<Post[]> {
    const query = trx<Post>('posts').where({ blog_id: blogId }).whereIn('id', ids).orderBy('id');
    return (await query.forNoKeyUpdate().select(postColumns)) as Post[];
  }

  async update(trx: Knex.Transaction, id: number, row: Partial<PostRow>): Promise<Post> {
    const [post] = (await trx('posts')
      .where({ id })
      .update(written(trx, row))
      .returning([...postColumns])) as Post[];
    if (!post) throw new Error(`The locked post ${id} is gone.`);
    return post;
  }

  /** Which of these slugs are taken, by another post than `exceptId`. */
  async takenSlugs(
    sql: Knex,
    { blog_id, type, id }: Pick<Post, 'blog_id' | 'type' | 'id'>,
    slugs: readonly string[],
  ): Promise<Set<string>> {
    const rows = (await sql('posts')
      .where({ blog_id, type })
      .whereRaw('slug = any(?)', [[...slugs]])
      .whereNot({ id })
      .select('slug')) as { slug: string }[];
    return new Set(rows.map(({ slug }) => slug));
  }

  /** Another post of the type on the site, outside the trash, that has this meta value. */
  async holderOf(
    sql: Knex,
    { blog_id, type, id }: Pick<Post, 'blog_id' | 'type' | 'id'>,
    key: string,
    value: unknown,
  ): Promise<number | null> {
    const row = await sql('posts')
      .where({ blog_id, type })
      .whereNot({ id })
      .whereNot('status', 'trash')
      .whereRaw('meta -> ?::text = ?::jsonb', [key, JSON.stringify(value)])
      .orderBy('id')
      .first('id');
    return (row as { id: number } | undefined)?.id ?? null;
  }

  /** Removes the row with its assignments; its children move to its parent. */
  async remove(trx: Knex.Transaction, post: Post): Promise<void> {
    await trx('posts').where({ id: post.id }).delete();
    await this.moveChildren(trx, post);
  }

  /** The children of a post move up to its parent. */
  async moveChildren(
    trx: Knex.Transaction,
    { id, blog_id, parent_id }: Pick<Post, 'id' | 'blog_id' | 'parent_id'>,
  ): Promise<void> {
    await trx('posts').where({ blog_id, parent_id: id }).update({ parent_id });
  }

  /** The site changed in the eyes of its readers. */
  async touchSite(trx: Knex.Transaction, blogId: number): Promise<void> {
    await trx('sites').where('blog_id', blogId).update({ last_updated: trx.fn.now() });
  }
}
