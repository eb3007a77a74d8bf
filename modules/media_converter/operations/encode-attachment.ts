import {
  Attachments,
  accepted,
  type Call,
  defineOperation,
  fail,
  id,
  idText,
  invalidParams,
  json,
  list,
  maxId,
  readId,
  yup,
} from '@lyceum/core';
import { chooseFormats, formatErrors } from '../choose-formats.ts';
import { enqueue } from '../enqueue.ts';
import { checkParent, findMedia, infoOf, mediaErrors } from '../find-media.ts';
import { jobTypes } from '../queue/entry.ts';
import { Enqueued } from '../queue/entry-record.ts';

export const encodeAttachment = defineOperation({
  id: 'media_converter.encode-attachment',
  method: 'POST',
  path: 'svc/media-converter/v1/attachments/{id}/encode',
  summary: 'Have an attachment encoded; a format that it has is made anew and switched at the end',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({
      attachment_id: id(),
      formats: list(yup.string().max(40).required(), 50).min(1),
      options: json(),
      parent_id: yup.number().integer().min(0).max(maxId),
      blog_id: yup.number().integer(),
    }),
  },
  success: 202,
  output: Enqueued,
  errors: [
    ...mediaErrors,
    ...formatErrors,
    'post_not_found',
    'job_options_not_supported',
    'format_already_queued',
  ],
  example: { body: { formats: ['mp4_720', 'mp4_480'] } },
  handle: async ({ params, body }, call) => {
    if (body.options !== undefined && body.options !== null) fail('job_options_not_supported');
    const attachmentId = readId(params.id) ?? fail('attachment_not_found');
    if (body.attachment_id !== undefined && body.attachment_id !== attachmentId) {
      invalidParams({ attachment_id: 'must be the one of the address' });
    }
    return encodeExisting(call, attachmentId, body);
  },
});

export interface EncodeWish {
  readonly formats?: readonly string[] | undefined;
  readonly parent_id?: number | undefined;
  readonly blog_id?: number | undefined;
}

export async function encodeExisting(call: Call, attachmentId: number, wish: EncodeWish) {
  const { formats, parent_id, blog_id } = wish;
  if (blog_id !== undefined && blog_id !== call.site.blog_id) {
    invalidParams({ blog_id: 'must be the site of the request' });
  }
  const attachment = await findMedia(call, attachmentId);
  await checkParent(call, parent_id);
  const chosen = await chooseFormats(call, await infoOf(call, attachment), formats);
  const wanted = chosen.map((format) => ({ format, options: {} }));
  return accepted(
    await enqueue(call, attachment, jobTypes.encode, wanted, async (trx, locked) => {
      if (parent_id !== undefined) await call.get(Attachments).update(trx, call, locked, { parent_id });
    }),
  );
}
