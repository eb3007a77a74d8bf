import { Addresses, created, defineOperation, maxId, yup } from '@lyceum/core';
import { checkParent } from '../find-media.ts';
import { MediaRecord, presentMedia } from '../media-record.ts';
import { createMedia, examine, uploadErrors } from '../upload-media.ts';

export const uploadMedia = defineOperation({
  id: 'media_converter.upload-media',
  method: 'POST',
  path: 'svc/media-converter/v1/media',
  summary: 'Upload a film or sound; its content says what it is',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  multipart: { file: 'file', maxBytes: (call) => call.setting<number>('max_upload_bytes') },
  input: {
    body: yup.object({
      title: yup.string().max(200),
      parent_id: yup.number().integer().min(0).max(maxId),
    }),
  },
  success: 201,
  output: MediaRecord,
  errors: [...uploadErrors],
  // Storing 2 GiB on a slow disk takes minutes.
  timeoutMs: 300_000,
  example: { body: { title: 'Fire safety', parent_id: 7 } },
  handle: async ({ body, file }, call) => {
    if (file === null) throw new Error('A multipart operation got no file.');
    await checkParent(call, body.parent_id);
    await examine(call, file);
    const attachment = await createMedia(call, file, body);
    const location = call
      .get(Addresses)
      .route(call.site, `svc/media-converter/v1/attachments/${attachment.post.id}`);
    return created(await presentMedia(call, attachment, attachment.media_info), location);
  },
});
