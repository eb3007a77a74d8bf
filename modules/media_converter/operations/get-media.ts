import { defineOperation, idText, readId, yup } from '@lyceum/core';
import { findMedia, infoOf, mediaErrors } from '../find-media.ts';
import { MediaRecord, presentMedia } from '../media-record.ts';

export const getMedia = defineOperation({
  id: 'media_converter.get-media',
  method: 'GET',
  path: 'svc/media-converter/v1/attachments/{id}',
  summary: 'What a film or sound is, and which formats it has',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: MediaRecord,
  errors: [...mediaErrors],
  handle: async ({ params }, call) => {
    const attachment = await findMedia(call, readId(params.id));
    return presentMedia(call, attachment, await infoOf(call, attachment));
  },
});
