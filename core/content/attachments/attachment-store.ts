import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { lockUntilCommit } from '../../db/locks.ts';
import type { Post } from '../post.ts';
import { postColumns } from '../posts-store.ts';
import { type Attachment, type AttachmentRow, attachmentType } from './attachment.ts';

const fileColumns =
  'mime_type filename alt path file_key bytes sha256 width height duration media_info source_url grant_epoch'.split(
    ' ',
  );

/** What a query for attachments selects: the post under its own names, the rest behind `file_`. */
export const attachmentColumns: readonly string[] = [
  ...postColumns.map((name) => `p.${name}`),
  ...fileColumns.map((name) => `a.${name} as file_${name}`),
];

type Joined = Post & Record<`file_${string}`, unknown>;

/** The attachment in a row of `attachmentColumns`. */
export function attachmentIn(row: object): Attachment {
  const joined = row as Joined;
  const part = (names: readonly string[], prefix: string): [string, unknown][] =>
    names.map((name) => [name, joined[`${prefix}${name}` as keyof Joined]]);
  return {
    ...(Object.fromEntries(part(fileColumns, 'file_')) as unknown as AttachmentRow),
    post: Object.fromEntries(part(postColumns, '')) as unknown as Post,
  };
}

/** Posts `p` of the type joined with their files `a`. */
export const attachmentTables = (sql: Knex, blogId: number): Knex.QueryBuilder =>
  sql('posts as p')
    .join('attachments as a', 'a.post_id', 'p.id')
    .where({ 'p.blog_id': blogId, 'p.type': attachmentType });

/** Reads and writes what attachments have beside their posts. */
export class AttachmentStore {
  /** The attachment of this id on the site, of whatever status. */
  async find(sql: Knex, blogId: number, id: number): Promise<Attachment | null> {
    const row = await attachmentTables(sql, blogId).where('p.id', id).first(attachmentColumns);
    return row ? attachmentIn(row as object) : null;
  }

  /** The same, its rows kept as they are until the transaction ends. */
  async lock(trx: Knex.Transaction, blogId: number, id: number): Promise<Attachment | null> {
    const query = attachmentTables(trx, blogId).where('p.id', id).forNoKeyUpdate();
    const row = await query.first(attachmentColumns);
    return row ? attachmentIn(row as object) : null;
  }

  async insert(trx: Knex.Transaction, post: Post, row: AttachmentRow): Promise<void> {
    await trx('attachments').insert({ ...row, post_id: post.id, blog_id: post.blog_id });
  }

  /** Rows of many new posts; one statement. */
  async insertMany(
    trx: Knex.Transaction,
    attachments: readonly { readonly post: Post; readonly row: AttachmentRow }[],
  ): Promise<void> {
    if (attachments.length === 0) return;
    await trx('attachments').insert(
      attachments.map(({ post, row }) => ({ ...row, post_id: post.id, blog_id: post.blog_id })),
    );
  }

  async update(trx: Knex.Transaction, id: number, changes: Partial<AttachmentRow>): Promise<void> {
    if (Object.keys(changes).length > 0) await trx('attachments').where('post_id', id).update(changes);
  }

  /** Makes every grant that was given so far void. */
  async voidGrants(trx: Knex.Transaction, id: number): Promise<void> {
    await trx('attachments').where('post_id', id).increment('grant_epoch', 1);
  }

  /** Bytes of all files of the site. */
  async usedBytes(sql: Knex, blogId: number): Promise<number> {
    const row = await sql('attachments')
      .where('blog_id', blogId)
      .sum<{ used: string | null }[]>({ used: 'bytes' })
      .first();
    return Number(row?.used ?? 0);
  }

  /** Other uploads to the site wait with their reckoning until the transaction ends. */
  lockSpace(trx: Knex.Transaction, blogId: number): Promise<void> {
    return lockUntilCommit(trx, `attachments ${blogId} space`);
  }

  /** Path of the file of each attachment that was fetched from one of these addresses. */
  async pathsByOrigin(
    sql: Knex,
    blogId: number,
    urls: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = (await sql('attachments')
      .where('blog_id', blogId)
      .whereNotNull('source_url')
      .whereNotNull('path')
      // As the index has it.
      .whereRaw('md5(source_url) = any(?)', [urls.map((url) => createHash('md5').update(url).digest('hex'))])
      .select('source_url', 'path')) as { source_url: string; path: string }[];
    return new Map(rows.map(({ source_url, path }) => [source_url, path]));
  }

  /** Says that this transaction writes the row of the file; `hasFile` waits for its end. */
  claimFile(trx: Knex.Transaction, fileKey: string): Promise<void> {
    return lockUntilCommit(trx, `file ${fileKey}`);
  }

  /** Whether some attachment has this file, now that no transaction that could write it runs any more. */
  async hasFile(trx: Knex.Transaction, fileKey: string): Promise<boolean> {
    await this.claimFile(trx, fileKey);
    return (await trx('attachments').where('file_key', fileKey).first('post_id')) !== undefined;
  }

  /** Which of these names, in lower case, other attachments of the site have, or end their addresses with. */
  async takenNames(
    sql: Knex,
    blogId: number,
    exceptId: number,
    names: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const { rows } = (await sql.raw(
      `select distinct name from attachments a
       cross join lateral (values (lower(a.filename)), (lower(substring(a.path from '[^/]*$')))) as n (name)
       where a.blog_id = ? and a.post_id <> ? and n.name = any(?)`,
      [blogId, exceptId, [...names]],
    )) as { rows: { name: string }[] };
    return new Set(rows.map(({ name }) => name));
  }

  /** Whether the site has such a record, of any other type and outside the trash; it stays until the end. */
  async hasParent(trx: Knex.Transaction, blogId: number, id: number): Promise<boolean> {
    const query = trx('posts').where({ blog_id: blogId, id }).whereNot('type', attachmentType);
    return (await query.whereNot('status', 'trash').forKeyShare().first('id')) !== undefined;
  }

  /** Takes the attachment away from the posts that feature it. */
  async unfeature(trx: Knex.Transaction, blogId: number, id: number): Promise<void> {
    await trx('posts').where({ blog_id: blogId, featured_media: id }).update({ featured_media: 0 });
  }
}
