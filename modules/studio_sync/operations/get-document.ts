import { defineOperation, id, Revisions, reply, yup } from '@lyceum/core';
import { bearer } from '../bearer.ts';
import { WholeItem, writtenExample } from '../document-item.ts';
import { findDocument } from '../find-document.ts';
import { presentDocument } from '../present-document.ts';
import { namespace } from '../site-row.ts';

export const getDocument = defineOperation({
  id: 'studio_sync.get-document',
  method: 'GET',
  path: `${namespace}/sync/posts/{post_id}`,
  summary: 'A document with its text',
  description: 'Byte for byte as it was written. The `ETag` is its hash.',
  access: { secret: bearer, can: 'edit_pages' },
  contract: true,
  site: 'selectable',
  input: { params: yup.object({ post_id: id().required() }) },
  output: yup.object({ success: yup.boolean().required(), item: WholeItem.required() }),
  errors: ['studio_sync_post_not_found', 'studio_sync_insufficient_permissions'],
  example: { answer: { success: true, item: { ...writtenExample, content: '<p>Hello</p>' } } },
  handle: async ({ params }, call) => {
    const post = await findDocument(call, params.post_id);
    const item = await presentDocument(call, post, await call.get(Revisions).holding(post));
    return reply({ success: true, item }, { headers: { ETag: `"${post.hash}"` } });
  },
});
