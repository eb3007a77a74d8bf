import type { Knex } from 'knex';

export interface ItemFilter {
  readonly blogId: number;
  /** Types of which records of others are listed. */
  readonly others: readonly string[];
  /** Types of which the caller's own are. */
  readonly own: readonly string[];
  readonly authorId: number;
}

const statuses = ['publish', 'draft', 'private', 'pending', 'future'];

/** Documents by id, without their texts: hash and editor stand beside them. */
export async function listItems(sql: Knex, { blogId, others, own, authorId }: ItemFilter): Promise<object[]> {
  return (await sql('posts')
    .where({ blog_id: blogId })
    .whereIn('status', statuses)
    .where((either) =>
      either
        .where((foreign) => foreign.whereIn('type', [...others]).whereNot({ author_id: authorId }))
        .orWhere((mine) => mine.whereIn('type', [...own]).where({ author_id: authorId })),
    )
    .orderBy('id')
    .select('id as post_id', 'type as post_type', 'slug', 'editor', 'hash', 'title', 'status')) as object[];
}
