import { defineOperation, fail, id, Revisions, yup } from '@lyceum/core';
import { bearer } from '../bearer.ts';
import { findDocument } from '../find-document.ts';
import { revisionExample, revisionFields } from '../revision-record.ts';
import { namespace } from '../site-row.ts';

export const getRevision = defineOperation({
  id: 'studio_sync.get-revision',
  method: 'GET',
  path: `${namespace}/sync/posts/{post_id}/revisions/{revision_id}`,
  summary: 'A kept state of a document, with its text',
  description: 'To bring it back, write its text.',
  access: { secret: bearer, can: 'edit_pages' },
  site: 'selectable',
  input: { params: yup.object({ post_id: id().required(), revision_id: id().required() }) },
  output: yup.object({ ...revisionFields, content: yup.string().defined() }),
  errors: [
    'studio_sync_post_not_found',
    'studio_sync_insufficient_permissions',
    'studio_sync_revision_not_found',
  ],
  example: { answer: { ...revisionExample, content: '<p>Hello</p>' } },
  handle: async ({ params }, call) => {
    const post = await findDocument(call, params.post_id);
    const revision = await call.get(Revisions).find(post.id, params.revision_id);
    return revision ?? fail('studio_sync_revision_not_found');
  },
});
