import { Attachments, callerOf, created, Database, defineOperation, yup } from '@lyceum/core';
import { recordUrl } from '../record-url.ts';
import { checkParentRight, mediaFields } from './media-fields.ts';
import { MediaRecord } from './media-record.ts';
import { presentMedia } from './present-media.ts';

export const createMedia = defineOperation({
  id: 'host.create-media',
  method: 'POST',
  path: 'svc/host/v1/media',
  summary: 'Upload a file as a new attachment',
  description:
    'The type is told by the content; the extension of the name must agree with it and be one that the network takes.',
  access: { can: 'upload_files' },
  site: 'selectable',
  multipart: { file: 'file' },
  input: { body: yup.object(mediaFields) },
  success: 201,
  output: MediaRecord,
  errors: ['media_type_not_allowed', 'media_quota_exceeded'],
  // Storing 2 GiB on a slow disk takes minutes.
  timeoutMs: 300_000,
  example: { body: { title: 'Fire exits', alt: 'Plan of the ground floor', parent_id: 7 } },
  handle: async ({ body, file }, call) => {
    if (file === null) throw new Error('A multipart operation got no file.');
    await checkParentRight(call.get(Database).knex, call, body.parent_id);
    const given = { ...body, author_id: callerOf(call).id };
    const attachment = await call.get(Attachments).create(call, file, given);
    return created(
      presentMedia(call, attachment),
      recordUrl(call, `svc/host/v1/media/${attachment.post.id}`),
    );
  },
});
