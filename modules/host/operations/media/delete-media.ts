import { Attachments, audit, Database, defineOperation, fail, idText, readId, yup } from '@lyceum/core';
import { lockEditable } from './find-media.ts';
import { MediaRecord } from './media-record.ts';
import { presentMedia } from './present-media.ts';

/** What is left to say of an attachment that is gone. */
const Deleted = yup.object({
  deleted: yup.boolean(),
  ...MediaRecord.partial().fields,
  id: MediaRecord.fields.id,
});

export const deleteMedia = defineOperation({
  id: 'host.delete-media',
  method: 'DELETE',
  path: 'svc/host/v1/media/{id}',
  summary: 'Move an attachment to the trash, or with force delete it and its file for good',
  description:
    'Without force the answer is the attachment, in the trash; with force it is {deleted: true, id}.',
  access: { canAny: ['edit_posts', 'edit_others_posts'] },
  site: 'selectable',
  input: {
    params: yup.object({ id: idText() }),
    query: yup.object({ force: yup.boolean().default(false) }),
  },
  output: Deleted,
  errors: ['attachment_not_found'],
  handle: async ({ params, query }, call) => {
    const id = readId(params.id) ?? fail('attachment_not_found');
    const attachments = call.get(Attachments);
    const left = await call.get(Database).transaction(async (trx) => {
      const before = await lockEditable(trx, call, id);
      if (!query.force) return attachments.trash(trx, call, before);
      await attachments.remove(trx, call, before);
      const { title, slug, status } = before.post;
      await audit(trx, call, {
        module: 'host',
        action: 'attachment.delete',
        subject: `attachment:${id}`,
        from: { title, slug, status, filename: before.filename, mime_type: before.mime_type },
      });
      return before;
    });
    if (!query.force) return presentMedia(call, left);
    await attachments.dropFile(left);
    return { deleted: true, id };
  },
});
