import { Attachments, audit, callerOf, Database, defineOperation, fail, word, yup } from '@lyceum/core';
import { MediaQueue } from '../queue/media-queue.ts';
import { keyText } from './find-entry.ts';

export const controlQueue = defineOperation({
  id: 'media_converter.control-queue',
  method: 'POST',
  path: 'svc/media-converter/v1/queue/control',
  summary:
    'Pause or resume the encoding of this site, or have what failed or was cancelled of an entry made again',
  access: { can: 'manage_options' },
  site: 'selectable',
  contract: true,
  input: {
    body: yup.object({
      action: word('pause', 'resume', 'retry').required(),
      queue_key: keyText().optional(),
    }),
  },
  output: yup.object({ paused: yup.boolean().required(), changed: yup.number().integer().required() }),
  errors: ['queue_not_found', 'nothing_to_retry', 'format_already_queued'],
  example: { body: { action: 'pause' } },
  handle: async ({ body }, call) => {
    const { action, queue_key } = body;
    const queue = call.get(MediaQueue);
    const concurrency = call.setting<number>('concurrency');
    if (action === 'retry' && queue_key === undefined) {
      fail('rest_missing_callback_param', { data: { params: ['queue_key'] } });
    }
    return call.get(Database).transaction(async (trx) => {
      let changed: number;
      if (action === 'retry') {
        const { blog_id } = call.site;
        const isKey = yup.string().uuid().isValidSync(queue_key);
        const key = (queue_key ?? '').toLowerCase();
        const entry = isKey ? await queue.store.findEntry(trx, blog_id, key) : null;
        if (!entry) return fail('queue_not_found');
        // Before the formats, as whoever asks for new ones does it.
        await call.get(Attachments).lock(trx, blog_id, entry.attachment_id);
        changed = await queue.retry(trx, entry, call.site, concurrency);
      } else {
        const user = callerOf(call).id;
        changed = await queue.setPaused(trx, call.site, action === 'pause', user, concurrency);
      }
      if (changed > 0) {
        const to = { action, ...(action === 'retry' ? { queue_key } : {}) };
        const subject = action === 'retry' ? `entry:${queue_key}` : `site:${call.site.blog_id}`;
        await audit(trx, call, { module: 'media_converter', action: 'media_converter.queue', subject, to });
      }
      return { paused: await queue.store.isPaused(trx, call.site.blog_id), changed };
    });
  },
});
