import { createHash } from 'node:crypto';
import { lockUntilCommit } from '@lyceum/core';
import type { Knex } from 'knex';

/** A record of a tree, as far as it is decided whether it is copied. */
export interface TreeRow {
  readonly id: number;
  readonly parent_id: number;
  readonly author_id: number;
}

/** The site that copies go to, and the caller's role there. */
export interface TargetRow {
  readonly blog_id: number;
  readonly network_id: number;
  readonly domain: string;
  readonly path: string;
  readonly archived: number;
  readonly deleted: number;
  readonly spam: number;
  readonly role: string | null;
}

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');

/** What the module asks of posts, terms, attachments and sites of the host. */
export class DuplicateStore {
  /** Records of the type below one that are not in the trash, each once, whatever circles their parents form. */
  async below(sql: Knex, blogId: number, type: string, root: number): Promise<TreeRow[]> {
    const { rows } = (await sql.raw(
      `with recursive below as (
         select cast(:root as int) as id
         union
         select p.id from posts p join below b on p.parent_id = b.id
         where p.blog_id = :blogId and p.type = :type and p.status <> 'trash'
       ) select p.id, p.parent_id, p.author_id from posts p join below using (id)
         where p.id <> :root order by p.menu_order, p.id`,
      { root, blogId, type },
    )) as { rows: TreeRow[] };
    return rows;
  }

  /** Which of the titles records of the type have, those in the trash left out. */
  async takenTitles(
    sql: Knex,
    blogId: number,
    type: string,
    titles: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = (await sql('posts')
      .where({ blog_id: blogId, type })
      .whereNot('status', 'trash')
      .whereRaw('md5(title) = any(?)', [titles.map(md5)])
      .distinct('title')) as { title: string }[];
    return new Set(rows.map(({ title }) => title));
  }

  /** Copies that look for a title of this base come one after the other. */
  lockTitle(trx: Knex.Transaction, blogId: number, type: string, base: string): Promise<void> {
    return lockUntilCommit(trx, `title ${blogId} ${type} ${base}`);
  }

  /** Ready sites of the network among these, with the user's role. */
  async targets(
    sql: Knex,
    networkId: number,
    userId: number,
    blogIds: readonly number[],
  ): Promise<TargetRow[]> {
    return (await sql('sites as s')
      .leftJoin('memberships as m', (join) => {
        join.on('m.blog_id', 's.blog_id').andOnVal('m.user_id', userId);
      })
      .where({ 's.network_id': networkId, 's.state': 'ready' })
      .whereIn('s.blog_id', [...blogIds])
      .select(
        ...['s.blog_id', 's.network_id', 's.domain', 's.path', 's.archived', 's.deleted', 's.spam', 'm.role'],
      )) as TargetRow[];
  }

  /** Attachments of the site, none in the trash, of these ids, below these records, or with these files. */
  async attachments(
    sql: Knex,
    blogId: number,
    asked: {
      readonly ids: readonly number[];
      readonly parents: readonly number[];
      readonly paths: readonly string[];
    },
  ): Promise<number[]> {
    const here = () =>
      sql('posts as p').where({ 'p.blog_id': blogId, 'p.type': 'attachment' }).whereNot('p.status', 'trash');
    const found = await Promise.all([
      asked.ids.length === 0
        ? []
        : here()
            .whereRaw('p.id = any(?)', [[...asked.ids]])
            .pluck('p.id'),
      asked.parents.length === 0
        ? []
        : here()
            .whereRaw('p.parent_id = any(?)', [[...asked.parents]])
            .pluck('p.id'),
      asked.paths.length === 0
        ? []
        : here()
            .join('attachments as a', 'a.post_id', 'p.id')
            .where('a.blog_id', blogId)
            .whereRaw('a.path = any(?)', [[...asked.paths]])
            .pluck('p.id'),
    ]);
    return [...new Set((found as number[][]).flat())].sort((a, b) => a - b);
  }

  /** Which of the ids are records of the site outside the trash. */
  async present(
    sql: Knex,
    blogId: number,
    table: 'posts' | 'terms',
    ids: readonly number[],
  ): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const query = sql(table)
      .where('blog_id', blogId)
      .whereRaw('id = any(?)', [[...ids]]);
    if (table === 'posts') query.whereNot('status', 'trash');
    return new Set((await query.pluck('id')) as number[]);
  }

  /** Ids of terms by slug. */
  async termsBySlug(
    sql: Knex,
    blogId: number,
    taxonomy: string,
    slugs: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = (await sql('terms')
      .where({ blog_id: blogId, taxonomy })
      .whereIn('slug', [...slugs])
      .select('slug', 'id')) as { slug: string; id: number }[];
    return new Map(rows.map(({ slug, id }) => [slug, id]));
  }

  /** Copies that make terms of the taxonomy come one after the other. */
  lockTerms(trx: Knex.Transaction, blogId: number, taxonomy: string): Promise<void> {
    return lockUntilCommit(trx, `copied terms ${blogId} ${taxonomy}`);
  }
}
