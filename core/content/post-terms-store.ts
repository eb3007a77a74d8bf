import type { Knex } from 'knex';

/** Term ids of one post by taxonomy, in the order of the terms. */
export type TermsOfPost = Readonly<Record<string, readonly number[]>>;

/** Which terms posts are assigned to. */
export class PostTermStore {
  /** Assignments of each post that has any, by post id; one query. */
  async of(sql: Knex, postIds: readonly number[]): Promise<ReadonlyMap<number, TermsOfPost>> {
    const found = new Map<number, Record<string, number[]>>();
    if (postIds.length === 0) return found;
    const rows = (await sql('post_terms as p')
      .join('terms as t', 't.id', 'p.term_id')
      .whereIn('p.post_id', postIds)
      .orderBy(['t.order', 't.id'])
      .select('p.post_id', 'p.term_id', 't.taxonomy')) as {
      post_id: number;
      term_id: number;
      taxonomy: string;
    }[];
    for (const { post_id, term_id, taxonomy } of rows) {
      const terms = found.get(post_id) ?? {};
      terms[taxonomy] = [...(terms[taxonomy] ?? []), term_id];
      found.set(post_id, terms);
    }
    return found;
  }

  /** Which of the ids are no terms of the taxonomy on the site; those that are stay until the transaction ends. */
  async unknown(
    trx: Knex.Transaction,
    blogId: number,
    taxonomy: string,
    ids: readonly number[],
  ): Promise<number[]> {
    const rows = (await trx('terms')
      .where({ blog_id: blogId, taxonomy })
      .whereIn('id', ids)
      .forKeyShare()
      .select('id')) as { id: number }[];
    const known = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  }

  /** Makes `ids` the post's terms of the taxonomy. */
  async replace(
    trx: Knex.Transaction,
    post: { readonly id: number; readonly blog_id: number },
    taxonomy: string,
    ids: readonly number[],
  ): Promise<void> {
    await trx('post_terms')
      .where('post_id', post.id)
      .whereIn('term_id', trx('terms').where({ blog_id: post.blog_id, taxonomy }).select('id'))
      .whereNotIn('term_id', ids)
      .delete();
    if (ids.length === 0) return;
    await trx('post_terms')
      .insert(ids.map((term_id) => ({ blog_id: post.blog_id, post_id: post.id, term_id })))
      .onConflict()
      .ignore();
  }

  /** Assigns terms to new posts; one statement. */
  async insertMany(
    trx: Knex.Transaction,
    blogId: number,
    pairs: readonly { readonly post_id: number; readonly term_id: number }[],
  ): Promise<void> {
    if (pairs.length === 0) return;
    await trx.raw(
      `insert into post_terms (blog_id, post_id, term_id)
       select ?::int, * from unnest(?::int[], ?::int[]) on conflict do nothing`,
      [blogId, pairs.map(({ post_id }) => post_id), pairs.map(({ term_id }) => term_id)],
    );
  }

  /** Posts outside the trash that each term has; terms without any are absent. One query. */
  async counts(sql: Knex, termIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (termIds.length === 0) return new Map();
    const rows = (await sql('post_terms as a')
      .join('posts as p', 'p.id', 'a.post_id')
      .whereIn('a.term_id', termIds)
      .whereNot('p.status', 'trash')
      .groupBy('a.term_id')
      .select('a.term_id')
      .count({ count: '*' })) as { term_id: number; count: number }[];
    return new Map(rows.map(({ term_id, count }) => [term_id, Number(count)]));
  }
}
