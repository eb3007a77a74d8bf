import type { Knex } from 'knex';

export async function countPosts(sql: Knex, blogId: number): Promise<number> {
  const row = await sql('posts').where({ blog_id: blogId }).count({ posts: '*' }).first();
  return Number(row?.posts ?? 0);
}
