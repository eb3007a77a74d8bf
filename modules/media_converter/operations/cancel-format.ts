import { Database, defineOperation, fail, yup } from '@lyceum/core';
import { EntryRecord, presentEntries } from '../queue/entry-record.ts';
import { MediaQueue } from '../queue/media-queue.ts';
import { entryErrors, findEntry, keyText } from './find-entry.ts';

export const cancelFormat = defineOperation({
  id: 'media_converter.cancel-format',
  method: 'POST',
  path: 'svc/media-converter/v1/queue/{key}/formats/{format}/cancel',
  summary: 'End one format of an entry; a running ffmpeg is stopped and what it wrote goes',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { params: yup.object({ key: keyText(), format: yup.string().required() }) },
  output: EntryRecord,
  errors: [...entryErrors, 'format_not_found', 'cannot_cancel'],
  handle: async ({ params }, call) => {
    const { knex } = call.get(Database);
    const queue = call.get(MediaQueue);
    const entry = await findEntry(call, params.key);
    await call.get(Database).transaction(async (trx) => {
      const formats = await queue.store.formatsOf(trx, [entry.id]);
      const wanted = formats.find(({ format }) => format === params.format) ?? fail('format_not_found');
      if ((await queue.cancel(trx, [wanted])) > 0) return;
      const now = await queue.store.lockFormat(trx, wanted.id);
      if (now?.status !== 'cancelled') fail('cannot_cancel');
    });
    const now =
      (await queue.store.findEntry(knex, entry.blog_id, entry.queue_key)) ?? fail('queue_not_found');
    const [shown] = await presentEntries(call, [now]);
    return shown;
  },
});
