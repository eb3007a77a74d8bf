import {
  type Attachment,
  Attachments,
  type Call,
  fail,
  idText,
  invalidParams,
  maxId,
  mayEditAttachment,
  mayReadAttachment,
  readId,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';

export const attachmentParams = () => yup.object({ id: idText() });

/** The index of a track is a number from 0, so it is none of the ids. */
export const trackParams = () =>
  yup.object({
    id: idText(),
    index: yup
      .string()
      .required()
      .meta({ jsonSchema: { type: 'integer', minimum: 0 } }),
  });

/** The index in a path; one that no track can have is told as unknown. @throws `rest_invalid_param`, `track_not_found` */
export function readIndex(text: string): number {
  if (!/^(?:0|[1-9]\d{0,99})$/.test(text)) return invalidParams({ index: 'must be an integer from 0' });
  const index = Number(text);
  return index <= maxId ? index : fail('track_not_found');
}

/** The id in a path. @throws `attachment_not_found`, `rest_no_route` for what is no integer */
export const attachmentId = (text: string): number =>
  readId(text) ?? fail(/^-?\d{1,100}$/.test(text) ? 'attachment_not_found' : 'rest_no_route');

const isMedia = ({ mime_type }: Attachment): boolean => /^(?:video|audio)\//.test(mime_type);

function checked(attachment: Attachment | null, may: (post: Attachment['post']) => boolean): Attachment {
  if (!attachment || attachment.post.status === 'trash') return fail('attachment_not_found');
  if (!may(attachment.post)) return fail('rest_forbidden');
  return isMedia(attachment) ? attachment : fail('not_media_attachment');
}

/** What `findReadable` and `findEditable` throw. */
export const attachmentErrors = ['attachment_not_found', 'rest_forbidden', 'not_media_attachment'];

/** The video or sound, if the caller may read it. */
export async function findReadable(call: Call, id: string): Promise<Attachment> {
  const attachment = await call.get(Attachments).find(call.site.blog_id, attachmentId(id));
  return checked(attachment, (post) => mayReadAttachment(call, post));
}

/** The video or sound, if the caller may edit it. */
export async function findEditable(call: Call, id: string): Promise<Attachment> {
  const attachment = await call.get(Attachments).find(call.site.blog_id, attachmentId(id));
  return checked(attachment, (post) => mayEditAttachment(call, post));
}

/** The same, locked by the transaction: writers of its tracks take turns. */
export async function lockEditable(trx: Knex.Transaction, call: Call, id: number): Promise<Attachment> {
  const attachment = await call.get(Attachments).lock(trx, call.site.blog_id, id);
  return checked(attachment, (post) => mayEditAttachment(call, post));
}
