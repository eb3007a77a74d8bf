import type { Knex } from 'knex';
import type { Document } from './document.ts';
import type { Post } from './post.ts';
import type { Revision } from './revision.ts';

/** The state of a post that a revision keeps. */
export interface PostState extends Document {
  readonly title: string;
}

export type NewRevision = Pick<Revision, 'source' | 'user_id' | 'connection_id'>;

type Owner = Pick<Post, 'id' | 'blog_id'>;

const columns = [
  'revision_id',
  'hash',
  'title',
  'editor',
  'source',
  'user_id',
  'connection_id',
  'created_at',
  'bytes',
];

/** Rows of kept states. Writers hold the lock of the post. */
export class RevisionStore {
  async insert(trx: Knex.Transaction, post: Owner, state: PostState, by: NewRevision): Promise<number> {
    const { editor, title, content, hash } = state;
    const [row] = (await trx('post_revisions')
      .insert({
        ...by,
        blog_id: post.blog_id,
        post_id: post.id,
        editor,
        title,
        content,
        hash,
        bytes: Buffer.byteLength(content),
      })
      .returning('revision_id')) as { revision_id: number }[];
    if (!row) throw new Error('The insertion of a revision returned no row.');
    return row.revision_id;
  }

  /** The newest of the post. */
  async newest(
    sql: Knex,
    postId: number,
  ): Promise<Pick<Revision, 'revision_id' | 'hash' | 'title' | 'editor'> | null> {
    const row = await sql('post_revisions')
      .where({ post_id: postId })
      .orderBy('revision_id', 'desc')
      .first('revision_id', 'hash', 'title', 'editor');
    return (row as Revision | undefined) ?? null;
  }

  /** Deletes all of the post but the newest `keep`; reads no more than the index and what goes. */
  async trim(trx: Knex.Transaction, postId: number, keep: number): Promise<void> {
    const firstTooOld = trx('post_revisions')
      .where({ post_id: postId })
      .orderBy('revision_id', 'desc')
      .offset(keep)
      .limit(1)
      .select('revision_id');
    await trx('post_revisions').where({ post_id: postId }).where('revision_id', '<=', firstTooOld).delete();
  }

  /** One page, newest first, and how many there are. */
  async list(
    sql: Knex,
    postId: number,
    limit: number,
    offset: number,
  ): Promise<{ readonly revisions: Revision[]; readonly total: number }> {
    const [rows, count] = await Promise.all([
      sql('post_revisions')
        .where({ post_id: postId })
        .orderBy('revision_id', 'desc')
        .limit(limit)
        .offset(offset)
        .select(columns),
      sql('post_revisions').where({ post_id: postId }).count({ total: '*' }).first(),
    ]);
    return { revisions: rows as Revision[], total: Number(count?.total ?? 0) };
  }

  async find(
    sql: Knex,
    postId: number,
    revisionId: number,
  ): Promise<(Revision & { readonly content: string }) | null> {
    const row = await sql('post_revisions')
      .where({ post_id: postId, revision_id: revisionId })
      .first(...columns, 'content');
    return (row as (Revision & { content: string }) | undefined) ?? null;
  }
}
