import type { Knex } from 'knex';
import type { Post } from '../content/post.ts';
import type { IdKind } from './references.ts';
import type { PostTexts } from './rewrite-post.ts';

/** A copied post with what its search words come from. */
export type PostToRewrite = PostTexts &
  Pick<Post, 'id' | 'type' | 'title'> & { readonly alt: string | null; readonly filename: string | null };

/** Which records a batch has: those of the site behind an id, in the order of their ids. */
export interface BatchToRewrite {
  readonly blogId: number;
  readonly after: number;
  readonly mostRows: number;
  /** Whether they are kept as they are until the transaction ends: of a site that is not open yet nobody changes any. */
  readonly locked: boolean;
  /** Only these, and no more than `mostRows` of them; null for all. */
  readonly only: readonly number[] | null;
}

/** A batch has texts of about so many bytes. */
const mostBytes = 2 * 1024 * 1024;

export async function postsToRewrite(
  sql: Knex,
  { blogId, after, mostRows, locked, only }: BatchToRewrite,
): Promise<PostToRewrite[]> {
  const { rows } = (await sql.raw(
    `with near as (
       select id, octet_length(content) + octet_length(excerpt) + octet_length(meta::text)
         + octet_length(private_meta::text) as bytes
       from posts where blog_id = ? and id > ? ${only ? 'and id = any(?)' : ''} order by id limit ?
     ), fit as (
       select id from (select id, sum(bytes) over (order by id) - bytes as before from near) sized where before < ?
     )
     select p.id, p.type, p.title, p.content, p.excerpt, p.meta, p.private_meta, p.hash, a.alt, a.filename
     from posts p join fit using (id) left join attachments a on a.post_id = p.id
     order by p.id ${locked ? 'for no key update of p' : ''}`,
    [blogId, after, ...(only ? [[...only]] : []), mostRows, mostBytes],
  )) as { rows: PostToRewrite[] };
  return rows;
}

/** Writes rewritten texts; `words` are those by which each is found, null where they stay. */
export async function writePosts(
  trx: Knex.Transaction,
  posts: readonly (PostTexts & { readonly id: number; readonly words: string | null })[],
): Promise<void> {
  if (posts.length === 0) return;
  const rows = posts.map(({ id, content, excerpt, meta, private_meta, hash, words }) => ({
    ...{ id, content, excerpt, meta, private_meta, hash, words },
  }));
  await trx.raw(
    `update posts p set content = r.content, excerpt = r.excerpt, meta = r.meta, private_meta = r.private_meta,
       hash = r.hash, search = coalesce(to_tsvector('simple', r.words), p.search)
     from json_to_recordset(?::json) as r (
       id int, content text, excerpt text, meta jsonb, private_meta jsonb, hash text, words text)
     where p.id = r.id`,
    [JSON.stringify(rows)],
  );
}

/** Ids of one batch of a site's records. */
export interface Span {
  readonly jobId: string;
  readonly target: number;
  readonly after: number;
  readonly last: number;
}

/** Turns parents and featured media from those of the source into their copies; without one there is none. */
export async function linkPosts(trx: Knex.Transaction, span: Span): Promise<void> {
  await trx.raw(
    `update posts p set parent_id = ${copyOf('post', 'p.parent_id')},
       featured_media = ${copyOf('attachment', 'p.featured_media')}
     where p.blog_id = :target and p.id > :after and p.id <= :last and (p.parent_id <> 0 or p.featured_media <> 0)`,
    { ...span },
  );
}

/** Looked up one by one: of a join the planner, which knows nothing of a new map, would compare all with all. */
const copyOf = (kind: IdKind, old: string): string =>
  `coalesce((select m.new_id from site_copy_map m
     where m.job_id = :jobId and m.kind = '${kind}' and m.old_id = ${old}), 0)`;

export interface TermToRewrite {
  readonly id: number;
  readonly taxonomy: string;
  readonly icon: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

export async function termsToRewrite(
  sql: Knex,
  { blogId, after, mostRows, locked, only }: BatchToRewrite,
): Promise<TermToRewrite[]> {
  const terms = sql('terms').where({ blog_id: blogId }).where('id', '>', after).orderBy('id').limit(mostRows);
  if (only) terms.whereRaw('id = any(?)', [[...only]]);
  if (locked) terms.forNoKeyUpdate();
  return (await terms.select('id', 'taxonomy', 'icon', 'meta')) as TermToRewrite[];
}

export async function writeTerms(trx: Knex.Transaction, terms: readonly TermToRewrite[]): Promise<void> {
  if (terms.length === 0) return;
  await trx.raw(
    `update terms t set icon = r.icon, meta = r.meta
     from json_to_recordset(?::json) as r (id int, icon text, meta jsonb) where t.id = r.id`,
    [JSON.stringify(terms.map(({ id, icon, meta }) => ({ id, icon, meta })))],
  );
}

/** Turns parents into their copies. One whose parent is gone is a root, and may share its name with another. */
export async function linkTerms(trx: Knex.Transaction, span: Span): Promise<void> {
  await trx.raw(
    `update terms t set parent = p.id, name_key = case when p.id = 0 then null else t.name_key end
     from terms q cross join lateral (select ${copyOf('term', 'q.parent')} as id) p
     where q.id = t.id and q.blog_id = :target and q.id > :after and q.id <= :last and q.parent <> 0`,
    { ...span },
  );
}
