import { Attachments, defineOperation, fail, idText, mayReadAttachment, readId, yup } from '@lyceum/core';
import { MediaRecord } from './media-record.ts';
import { presentMedia } from './present-media.ts';

export const getMedia = defineOperation({
  id: 'host.get-media',
  method: 'GET',
  path: 'svc/host/v1/media/{id}',
  summary: 'One attachment; those in the trash are found by the list alone',
  access: { can: 'read' },
  site: 'selectable',
  input: { params: yup.object({ id: idText() }) },
  output: MediaRecord,
  errors: ['attachment_not_found'],
  handle: async ({ params }, call) => {
    const id = readId(params.id);
    const attachment = id === null ? null : await call.get(Attachments).find(call.site.blog_id, id);
    if (!attachment || attachment.post.status === 'trash') return fail('attachment_not_found');
    if (!mayReadAttachment(call, attachment.post)) return fail('rest_forbidden');
    return presentMedia(call, attachment);
  },
});
