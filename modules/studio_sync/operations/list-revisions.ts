import { defineOperation, id, page, pageQuery, Revisions, yup } from '@lyceum/core';
import { bearer } from '../bearer.ts';
import { findDocument } from '../find-document.ts';
import { revisionExample, revisionFields } from '../revision-record.ts';
import { namespace } from '../site-row.ts';

export const listRevisions = defineOperation({
  id: 'studio_sync.list-revisions',
  method: 'GET',
  path: `${namespace}/sync/posts/{post_id}/revisions`,
  summary: 'Kept states of a document, newest first, without their texts',
  access: { secret: bearer, can: 'edit_pages' },
  site: 'selectable',
  input: { params: yup.object({ post_id: id().required() }), query: yup.object(pageQuery()) },
  output: yup.array().of(yup.object(revisionFields).required()).required(),
  paged: true,
  errors: ['studio_sync_post_not_found', 'studio_sync_insufficient_permissions'],
  example: { answer: [revisionExample] },
  handle: async ({ params, query }, call) => {
    const post = await findDocument(call, params.post_id);
    const { revisions, total } = await call.get(Revisions).list(post.id, query);
    return page(revisions, total);
  },
});
