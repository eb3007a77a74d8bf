import { Attachments, Database, defineOperation, fail, idText, readId, word, yup } from '@lyceum/core';
import { lockEditable } from './find-media.ts';
import { checkParentRight, mediaFields } from './media-fields.ts';
import { MediaRecord } from './media-record.ts';
import { presentMedia } from './present-media.ts';

export const changeMedia = defineOperation({
  id: 'host.change-media',
  method: 'PATCH',
  path: 'svc/host/v1/media/{id}',
  summary: 'Change the given fields of an attachment; a status takes it out of the trash',
  access: { canAny: ['edit_posts', 'edit_others_posts'] },
  site: 'selectable',
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({ ...mediaFields, slug: yup.string().max(1000), status: word('publish', 'private') }),
  },
  output: MediaRecord,
  errors: ['attachment_not_found'],
  example: { body: { alt: 'Plan of the first floor', status: 'private' } },
  handle: async ({ params, body }, call) => {
    const id = readId(params.id) ?? fail('attachment_not_found');
    const attachment = await call.get(Database).transaction(async (trx) => {
      const before = await lockEditable(trx, call, id);
      if (body.parent_id !== before.post.parent_id) await checkParentRight(trx, call, body.parent_id);
      return call.get(Attachments).update(trx, call, before, body);
    });
    return presentMedia(call, attachment);
  },
});
