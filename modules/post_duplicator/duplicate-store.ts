import { createHash } from 'node:crypto';
import { lockUntilCommit } from '@lyceum/core';
import type { Knex } from 'knex';

/** A record of a tree, as far as it is decided whether it is copied. */
export interface TreeRow {
  readonly id: number;
  readonly parent_id: number;
  readonly author_id: number;
}

/** Which attachments are looked for: of these ids, below these records, or with these files. */
export interface AskedAttachments {
  readonly ids: readonly number[];
  readonly parents: readonly number[];
  readonly paths: readonly string[];
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
         select :root::int as id, 0 as parent_id, 0 as author_id, 0 as menu_order
         union
         select child.* from below cross join lateral (
           select p.id, p.parent_id, p.author_id, p.menu_order from posts p
           where p.blog_id = :blogId and p.parent_id = below.id and p.parent_id <> 0 and p.type = :type
             and p.status <> 'trash'
           -- by the index, parent for parent, whatever is thought of their number
           offset 0) child
       ) select id, parent_id, author_id from below where id <> :root order by menu_order, id`,
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
    const { rows } = (await sql.raw(
      `select distinct found.title from unnest(:keys::text[]) as wanted (key) cross join lateral (
         select title from posts
         where blog_id = :blogId and type = :type and status <> 'trash' and md5(title) = wanted.key
         -- by the index, title for title
         offset 0) found`,
      { blogId, type, keys: titles.map(md5) },
    )) as { rows: { title: string }[] };
    return new Set(rows.map(({ title }) => title));
  }

  /**
   * Copies to the site come one after the other until the transaction ends, in whichever process: so each finds a
   * title of its own and the terms that the one before it made, and none waits for a slug of another.
   */
  lockCopies(trx: Knex.Transaction, blogId: number): Promise<void> {
    return lockUntilCommit(trx, `copies of posts ${blogId}`);
  }

  /** False once the site is removed: what is written to it now would stay behind. */
  async isReady(sql: Knex, blogId: number): Promise<boolean> {
    return (await sql('sites').where({ blog_id: blogId, state: 'ready' }).first('blog_id')) !== undefined;
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

  /** Ids of those attachments of the site that are not in the trash. */
  async attachments(sql: Knex, blogId: number, asked: AskedAttachments): Promise<number[]> {
    const { rows } = (await sql.raw(
      `with asked as (
         select unnest(:ids::int[]) as id
         union select id from posts where blog_id = :blogId and parent_id <> 0 and parent_id = any(:parents::int[])
         union select post_id from attachments where blog_id = :blogId and path = any(:paths::text[])
       ) select p.id from asked join posts p using (id)
         where p.blog_id = :blogId and p.type = 'attachment' and p.status <> 'trash' order by p.id`,
      { blogId, ...asked },
    )) as { rows: { id: number }[] };
    return rows.map(({ id }) => id);
  }

  async hasAttachment(sql: Knex, blogId: number, id: number): Promise<boolean> {
    return (await this.attachments(sql, blogId, { ids: [id], parents: [], paths: [] })).length > 0;
  }

  /** The term of the site that has the slug, or null. */
  async termBySlug(sql: Knex, blogId: number, taxonomy: string, slug: string): Promise<number | null> {
    const term = (await sql('terms').where({ blog_id: blogId, taxonomy, slug }).first('id')) as
      | { id: number }
      | undefined;
    return term?.id ?? null;
  }
}
