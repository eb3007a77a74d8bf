import { audit, Database, defineOperation, word, yup } from '@lyceum/core';
import { type EncodeStatus, statuses } from '../queue/entry.ts';
import { MediaQueue } from '../queue/media-queue.ts';

const cleared: Readonly<Record<string, readonly EncodeStatus[]>> = {
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  finished: ['completed', 'failed', 'cancelled'],
  all: statuses,
};

export const clearQueue = defineOperation({
  id: 'media_converter.clear-queue',
  method: 'POST',
  path: 'svc/media-converter/v1/queue/clear',
  summary: 'Remove entries of this site from the queue; `all` also ends those that are not done',
  access: { can: 'manage_options' },
  site: 'selectable',
  contract: true,
  input: {
    body: yup.object({
      status: word('completed', 'failed', 'cancelled', 'finished', 'all').default('completed'),
    }),
  },
  output: yup.object({
    deleted: yup.number().integer().required(),
    cancelled: yup.number().integer().required(),
  }),
  example: { body: { status: 'finished' } },
  handle: ({ body }, call) =>
    call.get(Database).transaction(async (trx) => {
      const gone = await call.get(MediaQueue).clear(trx, call.site.blog_id, cleared[body.status] ?? []);
      if (gone.deleted > 0) {
        const to = { ...gone, status: body.status };
        const subject = `site:${call.site.blog_id}`;
        await audit(trx, call, { module: 'media_converter', action: 'media_converter.clear', subject, to });
      }
      return gone;
    }),
});
