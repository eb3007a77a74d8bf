import { on, PlaybackArtifacts } from '@lyceum/core';
import { posterKey } from '../poster.ts';
import { MediaQueue } from '../queue/media-queue.ts';

/** Tells what is being made of an attachment's file, and whether a poster was chosen for it. */
export const tellDerived = on('attachment.derived', async ({ attachment, report }, { trx, get }) => {
  const { id, blog_id } = attachment.post;
  const queueKeys = await get(MediaQueue).activeKeys(blog_id, id, trx);
  const posters = await get(PlaybackArtifacts).list(blog_id, id, { formatKeys: [posterKey] }, trx);
  report({ queueKeys, poster: posters.length > 0 });
});

/** Another file is there: nothing is made of the old one any more. */
export const cancelReplaced = on('attachment.replaced', async ({ before }, { trx, get }) => {
  await get(MediaQueue).cancelOf(trx, before.post.blog_id, before.post.id);
});
