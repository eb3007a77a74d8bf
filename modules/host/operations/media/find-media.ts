import { type Attachment, Attachments, type Call, fail, mayEditAttachment } from '@lyceum/core';
import type { Knex } from 'knex';

/**
 * The attachment locked by the transaction, in the trash or not, if the caller may edit it.
 * @throws `attachment_not_found`, `rest_forbidden`
 */
export async function lockEditable(trx: Knex.Transaction, call: Call, id: number): Promise<Attachment> {
  const attachment = await call.get(Attachments).lock(trx, call.site.blog_id, id);
  if (!attachment) return fail('attachment_not_found');
  return mayEditAttachment(call, attachment.post) ? attachment : fail('rest_forbidden');
}
