import type { Knex } from 'knex';

/**
 * Notes that a post changed; true for the first one that notes it, who sends the job. The row stays locked until
 * the change is there, so that the job, which takes the row away first, cannot read the post before.
 */
export async function noteChange(trx: Knex.Transaction, blogId: number, postId: number): Promise<boolean> {
  const { rows } = (await trx.raw(
    `insert into embedding_changes (id_post, blog_id) values (?, ?)
      on conflict (id_post) do update set blog_id = excluded.blog_id
      returning xmax = 0 as first`,
    [postId, blogId],
  )) as { rows: { first: boolean }[] };
  return rows[0]?.first ?? false;
}

/** Takes the note away; waits for changes that are not yet there. */
export const dropChange = (trx: Knex.Transaction, postId: number): Promise<number> =>
  trx('embedding_changes').where('id_post', postId).delete();
