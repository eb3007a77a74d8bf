import {
  accepted,
  type Call,
  callerOf,
  defineOperation,
  fail,
  id,
  invalidParams,
  json,
  list,
  maxId,
  type UploadedFile,
  yup,
} from '@lyceum/core';
import { chooseFormats, formatErrors } from '../choose-formats.ts';
import { checkParent, mediaErrors } from '../find-media.ts';
import { jobTypes } from '../queue/entry.ts';
import { Enqueued, enqueued } from '../queue/entry-record.ts';
import { MediaQueue } from '../queue/media-queue.ts';
import { createMedia, examine, uploadErrors } from '../upload-media.ts';
import { encodeExisting } from './encode-attachment.ts';

export const encodeUpload = defineOperation({
  id: 'media_converter.encode',
  method: 'POST',
  path: 'svc/media-converter/v1/encode',
  summary: 'Upload a film or sound and have it encoded, as one; or, as JSON, have an attachment encoded',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  multipart: { file: 'file', orJson: true, maxBytes: (call) => call.setting<number>('max_upload_bytes') },
  input: {
    body: yup.object({
      attachment_id: id(),
      formats: list(yup.string().max(40).required(), 50).min(1),
      options: json(),
      title: yup.string().max(200),
      parent_id: yup.number().integer().min(0).max(maxId),
      blog_id: yup.number().integer(),
    }),
  },
  success: 202,
  output: Enqueued,
  errors: [
    ...uploadErrors,
    ...mediaErrors,
    ...formatErrors,
    'job_options_not_supported',
    'format_already_queued',
  ],
  timeoutMs: 300_000,
  example: { body: { attachment_id: 12, formats: ['mp4_720', 'hls'] } },
  handle: async ({ body, file }, call) => {
    if (body.options !== undefined && body.options !== null) fail('job_options_not_supported');
    if (file === null) {
      const { attachment_id } = body;
      if (attachment_id === undefined) {
        return fail('rest_missing_callback_param', { data: { params: ['attachment_id'] } });
      }
      return encodeExisting(call, attachment_id, body);
    }
    if (body.blog_id !== undefined && body.blog_id !== call.site.blog_id) {
      invalidParams({ blog_id: 'must be the site of the request' });
    }
    return encodeNew(call, file, body);
  },
});

interface Wish {
  readonly formats?: readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly parent_id?: number | undefined;
}

/** Attachment and queue entry are written together: a refusal leaves neither. */
async function encodeNew(call: Call, file: UploadedFile, { formats, ...given }: Wish) {
  await checkParent(call, given.parent_id);
  const chosen = await chooseFormats(call, await examine(call, file), formats);
  let queueKey = '';
  const attachment = await createMedia(call, file, given, async (trx, { post }) => {
    queueKey = await call.get(MediaQueue).enqueue(trx, {
      ...{
        site: call.site,
        attachmentId: post.id,
        userId: callerOf(call).id,
        type: jobTypes.encode,
      },
      formats: chosen.map((format) => ({ format, options: {} })),
      concurrency: call.setting<number>('concurrency'),
    });
  });
  return accepted(enqueued(call, attachment.post.id, queueKey, chosen));
}
