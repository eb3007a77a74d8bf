import { Database, defineOperation, yup } from '@lyceum/core';
import { MediaQueue } from '../queue/media-queue.ts';
import { entryErrors, findEntry, keyText } from './find-entry.ts';

export const deleteEntry = defineOperation({
  id: 'media_converter.delete-entry',
  method: 'DELETE',
  path: 'svc/media-converter/v1/queue/{key}',
  summary: 'End what an entry has not made yet, and remove it; what it made stays',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { params: yup.object({ key: keyText() }) },
  output: yup.object({ deleted: yup.boolean().required(), queue_key: yup.string().required() }),
  errors: [...entryErrors],
  handle: ({ params }, call) =>
    call.get(Database).transaction(async (trx) => {
      const entry = await findEntry(call, params.key, trx);
      await call.get(MediaQueue).remove(trx, [entry]);
      return { deleted: true, queue_key: entry.queue_key };
    }),
});
