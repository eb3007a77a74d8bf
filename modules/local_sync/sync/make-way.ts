import { type Call, Posts } from '@lyceum/core';
import type { Knex } from 'knex';
import type { SlugPost } from '../stores/page-store.ts';

const ending = '-trashed';
const longestBase = 180;

/** A post in the trash leaves its slug to a page that shall have it. */
export async function makeWay(
  trx: Knex.Transaction,
  call: Call,
  { id, slug, status }: Pick<SlugPost, 'id' | 'slug' | 'status'>,
): Promise<void> {
  if (status !== 'trash') return;
  const posts = call.get(Posts);
  const post = await posts.lock(trx, call.site.blog_id, id);
  if (post?.status !== 'trash' || post.slug !== slug) return;
  await posts.readdress(trx, call, post, { slug: `${slug.slice(0, longestBase)}${ending}` });
}
