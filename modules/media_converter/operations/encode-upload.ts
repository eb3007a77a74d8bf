import {
  type Attachment,
  Attachments,
  accepted,
  type Call,
  Database,
  defineOperation,
  fail,
  id,
  invalidParams,
  isCoded,
  json,
  list,
  maxId,
  type UploadedFile,
  yup,
} from '@lyceum/core';
import { chooseFormats, formatErrors } from '../choose-formats.ts';
import { enqueue, nothingElse } from '../enqueue.ts';
import { checkParent, mediaErrors } from '../find-media.ts';
import { jobTypes } from '../queue/entry.ts';
import { Enqueued } from '../queue/entry-record.ts';
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

/** A refusal leaves no attachment: what can be refused is looked at before there is one. */
async function encodeNew(call: Call, file: UploadedFile, { formats, ...given }: Wish) {
  await checkParent(call, given.parent_id);
  const chosen = await chooseFormats(call, await examine(call, file), formats);
  const attachment = await createMedia(call, file, given);
  try {
    return accepted(await encodeThese(call, attachment, chosen));
  } catch (error) {
    const attachments = call.get(Attachments);
    await call.get(Database).transaction(async (trx) => {
      const locked = await attachments.lock(trx, call.site.blog_id, attachment.post.id);
      if (locked) await attachments.remove(trx, call, locked);
    });
    await attachments.dropFile(attachment);
    throw error;
  }
}

const encodeThese = (call: Call, attachment: Attachment, keys: readonly string[]) =>
  enqueue(
    call,
    attachment,
    jobTypes.encode,
    keys.map((format) => ({ format, options: {} })),
    nothingElse,
  );

/** The site's own choice for a new film; none at all where none can be made of it. */
export async function encodeUploaded(call: Call, attachment: Attachment): Promise<void> {
  try {
    await encodeThese(call, attachment, await chooseFormats(call, attachment.media_info, undefined));
  } catch (error) {
    if (!isCoded(error) || error.code !== 'no_applicable_formats') throw error;
  }
}
