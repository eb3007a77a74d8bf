import { callerOf, Database, defineOperation, id, page, pageQuery, word, yup } from '@lyceum/core';
import { statuses } from '../queue/entry.ts';
import { EntryRecord, presentEntries } from '../queue/entry-record.ts';
import { MediaQueue } from '../queue/media-queue.ts';

export const listQueue = defineOperation({
  id: 'media_converter.list-queue',
  method: 'GET',
  path: 'svc/media-converter/v1/queue',
  summary: 'Entries of the queue, newest first: the own ones, of all for whoever may edit what others made',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    query: yup.object({
      ...pageQuery(),
      status: yup
        .array()
        .of(word(...statuses).required())
        .max(5),
      attachment_id: id(),
    }),
  },
  paged: true,
  output: yup.array().of(EntryRecord.required()).required(),
  handle: async ({ query }, call) => {
    const filter = {
      blogId: call.site.blog_id,
      userId: call.can('edit_others_posts') ? null : callerOf(call).id,
      statuses: query.status ?? [],
      attachmentId: query.attachment_id ?? null,
    };
    const { store } = call.get(MediaQueue);
    const from = (query.page - 1) * query.per_page;
    const { entries, total } = await store.list(call.get(Database).knex, filter, query.per_page, from);
    return page(await presentEntries(call, entries), total);
  },
});
