import {
  type Actor,
  Attachments,
  Database,
  defineSchedule,
  isCoded,
  Posts,
  type ScheduleTools,
} from '@lyceum/core';
import { longTrashed, type TrashedPost } from './trash-store.ts';

const day = 24 * 60 * 60 * 1000;

/** Milliseconds that what was deleted can be had back. */
const keptMs = 30 * day;

const perLook = 100;
const attachmentType = 'attachment';

export const emptyTrash = defineSchedule({
  id: 'host.empty-trash',
  title: 'Deletes what has lain in the trash for 30 days',
  everySeconds: 3_600,
  run: async (tools) => {
    const { get, now, signal } = tools;
    const since = new Date(now().getTime() - keptMs);
    for (let after = 0; ; ) {
      const found = await longTrashed(get(Database).knex, since, after, perLook);
      for (const post of found) {
        if (signal.aborted) return;
        await remove(tools, post);
      }
      const last = found.at(-1);
      if (!last) return;
      after = last.id;
    }
  },
});

/** One transaction each: a module that refuses the end of one post keeps no other. */
async function remove(tools: ScheduleTools, post: TrashedPost): Promise<void> {
  try {
    await (post.type === attachmentType ? removeAttachment(tools, post) : removePost(tools, post));
  } catch (error) {
    if (!isCoded(error)) throw error;
    tools.log.warn({ code: error.code, post: post.id }, 'a post stays in the trash');
  }
}

const actorFor = ({ site }: TrashedPost): Actor => ({ site, user: null, ip: null, requestId: null });

function removePost({ get }: ScheduleTools, trashed: TrashedPost): Promise<void> {
  const posts = get(Posts);
  return get(Database).transaction(async (trx) => {
    const post = await posts.lock(trx, trashed.site.blog_id, trashed.id);
    if (post?.status === 'trash') await posts.remove(trx, actorFor(trashed), post);
  });
}

async function removeAttachment({ get }: ScheduleTools, trashed: TrashedPost): Promise<void> {
  const attachments = get(Attachments);
  const removed = await get(Database).transaction(async (trx) => {
    const attachment = await attachments.lock(trx, trashed.site.blog_id, trashed.id);
    if (attachment?.post.status !== 'trash') return null;
    await attachments.remove(trx, actorFor(trashed), attachment);
    return attachment;
  });
  if (removed) await attachments.dropFile(removed);
}
