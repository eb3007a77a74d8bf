import type { Knex } from 'knex';
import type { PostToRewrite, TermToRewrite } from './rewrite-content-store.ts';

/** A batch has at most so many posts, and texts of about so many bytes. */
const mostPosts = 200;
const mostBytes = 2 * 1024 * 1024;
const mostTerms = 200;

/** Posts of the site in the order of their ids, kept as they are until the transaction ends. */
export async function lockPosts(
  trx: Knex.Transaction,
  blogId: number,
  after: number,
): Promise<PostToRewrite[]> {
  const { rows } = (await trx.raw(
    `with near as (
       select id, octet_length(content) + octet_length(excerpt) + octet_length(meta::text)
         + octet_length(private_meta::text) as bytes
       from posts where blog_id = ? and id > ? order by id limit ${mostPosts}
     ), fit as (
       select id from (select id, sum(bytes) over (order by id) - bytes as before from near) sized where before < ?
     )
     select p.id, p.type, p.title, p.content, p.excerpt, p.meta, p.private_meta, p.hash, a.alt, a.filename
     from posts p join fit using (id) left join attachments a on a.post_id = p.id
     order by p.id for no key update of p`,
    [blogId, after, mostBytes],
  )) as { rows: PostToRewrite[] };
  return rows;
}

/** Terms of the site in the order of their ids, kept as they are until the transaction ends. */
export async function lockTerms(
  trx: Knex.Transaction,
  blogId: number,
  after: number,
): Promise<TermToRewrite[]> {
  return (await trx('terms')
    .where({ blog_id: blogId })
    .where('id', '>', after)
    .orderBy('id')
    .limit(mostTerms)
    .forNoKeyUpdate()
    .select('id', 'taxonomy', 'icon', 'meta')) as TermToRewrite[];
}

export async function countPosts(sql: Knex, blogId: number): Promise<number> {
  const row = await sql('posts').where({ blog_id: blogId }).count({ posts: '*' }).first();
  return Number(row?.posts ?? 0);
}
