import { type Attachment, Attachments, type Call, fail, mayEditAttachment, readId } from '@lyceum/core';
import type { Knex } from 'knex';

/**
 * The attachment, if the caller may edit it.
 * @throws `attachment_not_found`, also for one in the trash; `rest_forbidden`
 */
export async function findEditable(call: Call, idText: string): Promise<Attachment> {
  const id = readId(idText);
  return editable(call, id === null ? null : await call.get(Attachments).find(call.site.blog_id, id));
}

/** The same, locked until the transaction ends. */
export const lockEditable = async (trx: Knex.Transaction, call: Call, id: number): Promise<Attachment> =>
  editable(call, await call.get(Attachments).lock(trx, call.site.blog_id, id));

function editable(call: Call, attachment: Attachment | null): Attachment {
  if (!attachment || attachment.post.status === 'trash') return fail('attachment_not_found');
  return mayEditAttachment(call, attachment.post) ? attachment : fail('rest_forbidden');
}
