import type { Knex } from 'knex';
import { lockUntilCommit } from '../db/locks.ts';

/** A path shows this many levels at most: an address of more is no use to anybody. */
const mostLevels = 100;

/** What is asked about the neighbours of a post: parents and featured media. */
export class PostTreeStore {
  /** Holds off other changes of parents on the site until the transaction ends. */
  lock(trx: Knex.Transaction, blogId: number): Promise<void> {
    return lockUntilCommit(trx, `posts ${blogId} parents`);
  }

  /** Whether the site has such a post outside the trash; it stays until the transaction ends. */
  async has(trx: Knex.Transaction, blogId: number, type: string, id: number): Promise<boolean> {
    const query = trx('posts').where({ id, blog_id: blogId, type }).whereNot('status', 'trash');
    return (await query.forKeyShare().first('id')) !== undefined;
  }

  /** Whether `id` is `ancestor` or lies below it. */
  async isWithin(sql: Knex, ancestor: number, id: number): Promise<boolean> {
    const { rows } = (await sql.raw(
      `with recursive above as (
         select id, parent_id from posts where id = ?
         union select p.id, p.parent_id from posts p join above a on p.id = a.parent_id
       ) select 1 from above where id = ?`,
      [id, ancestor],
    )) as { rows: unknown[] };
    return rows.length > 0;
  }

  /** The parents of these posts, of their parents and so on up to the roots: parent by post; one query. */
  async above(sql: Knex, blogId: number, ids: readonly number[]): Promise<Map<number, number>> {
    const { rows } = (await sql.raw(
      `with recursive above as (
         select id, parent_id from posts where blog_id = :blogId and id = any(:ids)
         union select p.id, p.parent_id from posts p join above a on p.id = a.parent_id and p.blog_id = :blogId
       ) select id, parent_id from above`,
      { blogId, ids: [...ids] },
    )) as { rows: { id: number; parent_id: number }[] };
    return new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
  }

  /** Type of each of these posts that the site has; they stay until the transaction ends. */
  async types(trx: Knex.Transaction, blogId: number, ids: readonly number[]): Promise<Map<number, string>> {
    const rows = (await trx('posts')
      .where({ blog_id: blogId })
      .whereIn('id', ids)
      .forKeyShare()
      .select('id', 'type')) as { id: number; type: string }[];
    return new Map(rows.map(({ id, type }) => [id, type]));
  }

  /** Sets parents and featured media of many posts; one statement. */
  async setLinks(
    trx: Knex.Transaction,
    posts: readonly { readonly id: number; readonly parent_id: number; readonly featured_media: number }[],
  ): Promise<void> {
    await trx.raw(
      `update posts p set parent_id = l.parent_id, featured_media = l.featured_media
       from unnest(?::int[], ?::int[], ?::int[]) as l (id, parent_id, featured_media) where p.id = l.id`,
      [posts.map((p) => p.id), posts.map((p) => p.parent_id), posts.map((p) => p.featured_media)],
    );
  }

  /** `a/b/c` of each of these posts, from its root down; one query. */
  async paths(sql: Knex, blogId: number, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const { rows } = (await sql.raw(
      `with recursive above as (
         select id as leaf, parent_id, slug, 1 as level from posts where blog_id = :blogId and id = any(:ids)
         union all
         select a.leaf, p.parent_id, p.slug, a.level + 1 from above a
           join posts p on p.id = a.parent_id and p.blog_id = :blogId where a.level < :mostLevels
       ) select leaf, string_agg(slug, '/' order by level desc) as path from above group by leaf`,
      { blogId, ids: [...ids], mostLevels },
    )) as { rows: { leaf: number; path: string }[] };
    return new Map(rows.map(({ leaf, path }) => [leaf, path]));
  }
}
