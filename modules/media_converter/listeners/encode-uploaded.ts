import { on, State } from '@lyceum/core';
import { standardFormats } from '../choose-formats.ts';
import { Ffmpeg } from '../ffmpeg/ffmpeg.ts';
import { jobTypes } from '../queue/entry.ts';
import { MediaQueue } from '../queue/media-queue.ts';

/**
 * The site's own choice for a new film, where the site wishes so, by whichever route it came. Who named formats
 * together with the upload gets those alone.
 */
export const encodeUploaded = on('attachment.uploaded', async ({ attachment }, tools) => {
  const { trx, actor, get, setting } = tools;
  const { media_info, post } = attachment;
  if (media_info?.kind !== 'video') return;
  if (!(await get(State).within(trx, post.blog_id)).isOn('media_converter')) return;
  if (!(await setting<boolean>('auto_encode'))) return;
  const queue = get(MediaQueue);
  if ((await queue.activeKeys(post.blog_id, post.id, trx)).length > 0) return;
  const choice = {
    standard: await setting<readonly string[]>('default_formats'),
    enabled: await setting<readonly string[]>('enabled_formats'),
    available: await get(Ffmpeg).available(),
  };
  const chosen = standardFormats(choice, media_info);
  if (chosen.length === 0) return;
  await queue.enqueue(trx, {
    ...{
      site: actor.site,
      attachmentId: post.id,
      userId: post.author_id,
      type: jobTypes.encode,
    },
    formats: chosen.map((format) => ({ format, options: {} })),
    concurrency: await setting<number>('concurrency'),
  });
});
