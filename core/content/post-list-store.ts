import type { Knex } from 'knex';
import type { Post, PostStatus } from './post.ts';
import { postColumns } from './posts-store.ts';
import { searchQuestion } from './search-text.ts';

/** What a list of posts goes by; ties by id. */
export type PostOrder = 'created_at' | 'modified_at' | 'title' | 'menu_order' | 'id';

/** Which posts of a site a list has; absent fields leave nothing out. */
export interface PostFilter {
  readonly blogId: number;
  readonly type: string;
  readonly statuses: readonly PostStatus[];
  /** All words, the last one as the beginning of one. */
  readonly search?: string | undefined;
  readonly slug?: string | undefined;
  readonly parentId?: number | undefined;
  readonly authorId?: number | undefined;
  readonly termId?: number | undefined;
  readonly lang?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Whose eyes the list is for; null sees everything. */
  readonly visibleTo: PostViewer | null;
  readonly orderBy: PostOrder;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  /** Columns that are long and seldom wanted in lists. */
  readonly include: { readonly content: boolean; readonly meta: boolean };
}

/** Somebody who does not see others' unpublished records. */
export interface PostViewer {
  readonly userId: number;
  /** He sees private ones, though. */
  readonly seesPrivate: boolean;
}

/** A post in a list; the long columns only where they were asked for. */
export type ListedPost = Omit<Post, 'content' | 'meta' | 'private_meta'> &
  Partial<Pick<Post, 'content' | 'meta'>>;

const filtered = (sql: Knex, filter: PostFilter): Knex.QueryBuilder => {
  const query = sql('posts').where({ blog_id: filter.blogId, type: filter.type });
  query.whereIn('status', filter.statuses);
  if (filter.slug !== undefined) query.where('slug', filter.slug);
  if (filter.parentId !== undefined) query.where('parent_id', filter.parentId);
  if (filter.authorId !== undefined) query.where('author_id', filter.authorId);
  if (filter.lang !== undefined) query.where('lang', filter.lang);
  if (filter.ids !== undefined) query.whereIn('id', filter.ids);
  if (filter.termId !== undefined) {
    query.whereIn('id', sql('post_terms').where('term_id', filter.termId).select('post_id'));
  }
  if (filter.search !== undefined && filter.search.trim() !== '') {
    const question = searchQuestion(filter.search);
    if (question === null) query.whereRaw('false');
    else query.whereRaw(`search @@ to_tsquery('simple', ?)`, [question]);
  }
  const { visibleTo } = filter;
  if (visibleTo) {
    query.andWhere((either) => {
      either.where('author_id', visibleTo.userId);
      either.orWhereIn('status', visibleTo.seesPrivate ? ['publish', 'private'] : ['publish']);
    });
  }
  return query;
};

/** One page of posts in a total order, and how many there are: two queries, whatever the filter. */
export async function listPosts(
  sql: Knex,
  filter: PostFilter,
): Promise<{ readonly items: ListedPost[]; readonly total: number }> {
  const counted = await filtered(sql, filter).count({ total: '*' }).first();
  const { content, meta } = filter.include;
  const left = new Set(['private_meta', ...(content ? [] : ['content']), ...(meta ? [] : ['meta'])]);
  const query = filtered(sql, filter).select(postColumns.filter((name) => !left.has(name)));
  // Titles as people sort them, whatever collation the database has.
  if (filter.orderBy === 'title') query.orderBy(sql.raw('lower(title)'), filter.order);
  else if (filter.orderBy !== 'id') query.orderBy(filter.orderBy, filter.order);
  query.orderBy('id', filter.order).limit(filter.limit).offset(filter.offset);
  return {
    items: (await query) as ListedPost[],
    total: Number((counted as { total: number } | undefined)?.total ?? 0),
  };
}
