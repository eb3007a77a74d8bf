import { type Actor, defineJob, isCoded, type JobRun, type Post, Posts, PostTypes } from '@lyceum/core';
import type { Knex } from 'knex';
import { duePosts } from '../schedules/planned-posts-store.ts';
import { type PublishPayload, publishJobType } from '../schedules/publish-planned.ts';

/** Posts of one transaction. */
const perStep = 100;

export const publishJob = defineJob<PublishPayload>({
  id: publishJobType,
  title: 'Publishing planned posts',
  lane: 'quick',
  cancellable: false,
  run: async (job) => {
    let published = job.cursor<number>() ?? 0;
    for (;;) {
      const refused: { id: number; left: string }[] = [];
      let found = 0;
      await job.step(async (trx) => {
        const due = await lockDue(job, trx);
        found = due.length;
        for (const post of due) {
          const status = await publish(job, trx, post);
          if (status === 'publish') published += 1;
          else refused.push({ id: post.id, left: status });
        }
        const message = `Published ${published} posts.`;
        return { phase: 'publish', current: published, message, cursor: published };
      });
      for (const post of refused) await job.note('warning', 'A module lets a post not come out.', post);
      // Those that stay as they are would be found again.
      if (found < perStep || refused.some(({ left }) => left === 'future')) return { published };
    }
  },
});

async function lockDue(job: JobRun<PublishPayload>, trx: Knex.Transaction): Promise<Post[]> {
  const { blog_id } = job.site;
  const types = job.get(PostTypes).ids();
  const due = new Date(job.payload.due);
  const posts: Post[] = [];
  for (const id of await duePosts(trx, blog_id, due, types, perStep)) {
    const post = await job.get(Posts).lock(trx, blog_id, id);
    // Somebody may have changed his plans while we waited.
    if (post?.status === 'future' && Date.parse(post.created_at) <= due.getTime()) posts.push(post);
  }
  return posts;
}

/** The status that the post has afterwards: one that a module lets not come out becomes a draft, if it may. */
async function publish(
  job: JobRun<PublishPayload>,
  trx: Knex.Transaction,
  post: Post,
): Promise<Post['status']> {
  const posts = job.get(Posts);
  const actor: Actor = { site: job.site, user: null, ip: null, requestId: null };
  for (const status of ['publish', 'draft'] as const) {
    try {
      return (await posts.update(trx, actor, post, { status })).status;
    } catch (error) {
      if (!isCoded(error)) throw error;
    }
  }
  return post.status;
}
