import type { Knex } from 'knex';

/** Which posts a sync is about. */
export interface PostScope {
  readonly blogId: number;
  readonly postTypes: readonly string[];
  /** Only these; null for all of the site. */
  readonly postIds: readonly number[] | null;
}

/** A post whose text is to be in the store, and whether it is. */
export interface PostState {
  readonly id: number;
  /** Changes with every write of its row. */
  readonly state: string;
  readonly isChanged: boolean;
}

/** Published, of a type that is synced, and not taken out by its author. */
const eligible = `p.blog_id = ? and p.status = 'publish' and p.type = any(?)
  and coalesce(p.meta->>'rag_exclude', '') in ('', 'false', '0')`;

/** The transaction that wrote the row last: it tells of every change, also of one that leaves \`modified_at\`. */
const stateOf = 'p.xmin::text';

const scoped = '(?::int[] is null or p.id = any(?))';

const valuesOf = ({ blogId, postTypes, postIds }: PostScope): unknown[] => [
  ...[blogId, postTypes, postIds, postIds],
];

/** The next posts by id, with what is known of them. Texts are not read. */
export async function nextPosts(
  sql: Knex,
  scope: PostScope,
  recipe: string,
  after: number,
  limit: number,
): Promise<PostState[]> {
  const { rows } = (await sql.raw(
    `select p.id, ${stateOf} as state,
      (e.id_post is null or e.state <> ${stateOf} or e.recipe <> ?) as "isChanged"
    from posts p left join embedding_posts e on e.id_post = p.id
    where ${eligible} and ${scoped} and p.id > ? order by p.id limit ?`,
    [recipe, ...valuesOf(scope), after, limit] as never,
  )) as { rows: PostState[] };
  return rows;
}

/** How many posts there are to sync, how many of them have been, and how many changed since. */
export async function countPosts(
  sql: Knex,
  scope: PostScope,
  recipe: string,
): Promise<{ readonly eligible: number; readonly chunked: number; readonly changed: number }> {
  const { rows } = (await sql.raw(
    `select count(*)::int as eligible, count(e.id_post)::int as chunked,
      count(*) filter (where e.id_post is null or e.state <> ${stateOf} or e.recipe <> ?)::int as changed
    from posts p left join embedding_posts e on e.id_post = p.id where ${eligible} and ${scoped}`,
    [recipe, ...valuesOf(scope)] as never,
  )) as { rows: { eligible: number; chunked: number; changed: number }[] };
  return rows[0] ?? { eligible: 0, chunked: 0, changed: 0 };
}

/** A post's text, as long as it is eligible; null when it no longer is. */
export interface PostText {
  readonly id: number;
  readonly state: string;
  readonly title: string;
  readonly type: string;
  readonly slug: string;
  readonly parent_id: number;
  readonly lang: string;
  readonly bytes: number;
  /** Empty for one that is too long. */
  readonly content: string;
}

/** Longest text that is cut. */
export const mostTextBytes = 5 * 1024 * 1024;

export async function readPost(sql: Knex, scope: PostScope, id: number): Promise<PostText | null> {
  const { rows } = (await sql.raw(
    `select p.id, ${stateOf} as state, p.title, p.type, p.slug, p.parent_id, p.lang,
      octet_length(p.content) as bytes,
      case when octet_length(p.content) <= ${mostTextBytes} then p.content else '' end as content
    from posts p where ${eligible} and ${scoped} and p.id = ?`,
    [...valuesOf(scope), id] as never,
  )) as { rows: PostText[] };
  return rows[0] ?? null;
}

/** Remembers what was cut. */
export async function putPostState(
  trx: Knex.Transaction,
  blogId: number,
  post: { readonly id: number; readonly state: string },
  recipe: string,
): Promise<void> {
  await trx('embedding_posts')
    .insert({ id_post: post.id, blog_id: blogId, state: post.state, recipe })
    .onConflict('id_post')
    .merge(['state', 'recipe']);
}

/** Posts that were cut and should not have been, as they are now, in the order of their ids. */
export async function withdrawnPosts(sql: Knex, scope: PostScope, limit: number): Promise<number[]> {
  const { blogId, postIds } = scope;
  const { rows } = (await sql.raw(
    `select known.id_post from embedding_posts known
    where known.blog_id = ? and (?::int[] is null or known.id_post = any(?))
      and not exists (select 1 from posts p where p.id = known.id_post and ${eligible} and ${scoped})
    order by known.id_post limit ?`,
    [blogId, postIds, postIds, ...valuesOf(scope), limit] as never,
  )) as { rows: { id_post: number }[] };
  return rows.map(({ id_post }) => id_post);
}

/** Forgets all that was cut of a site: its store is a new one. */
export const forgetSite = (trx: Knex.Transaction, blogId: number): Promise<number> =>
  trx('embedding_posts').where('blog_id', blogId).delete();

/** Forgets what was cut of these posts. */
export const forgetPosts = (trx: Knex.Transaction, blogId: number, ids: readonly number[]): Promise<number> =>
  trx('embedding_posts').where('blog_id', blogId).whereIn('id_post', ids).delete();
