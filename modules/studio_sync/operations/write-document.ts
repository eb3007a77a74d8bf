import { Database, defineOperation, id, yup } from '@lyceum/core';
import { bearer } from '../bearer.ts';
import { editorField, hashField, WrittenItem, writtenExample } from '../document-item.ts';
import { presentDocument } from '../present-document.ts';
import { namespace } from '../site-row.ts';
import { writeDocument as write } from '../write-document.ts';

export const writeDocument = defineOperation({
  id: 'studio_sync.write-document',
  method: 'PATCH',
  path: `${namespace}/sync/posts/{post_id}`,
  summary: 'Write a document, if it is still the one with `base_hash`',
  description:
    'A text that the document has already changes nothing, whatever `base_hash` is, so a request may be repeated. The title is written with it and has no guard. What is written over is kept as a revision; `editor` makes sure that the document still has that one.',
  access: { secret: bearer, can: 'edit_pages' },
  contract: true,
  site: 'selectable',
  input: {
    params: yup.object({ post_id: id().required() }),
    body: yup.object({
      base_hash: hashField(),
      content: yup.string().defined(),
      title: yup.string().min(1).max(200),
      editor: editorField(),
    }),
  },
  output: yup.object({
    success: yup.boolean().required(),
    changed: yup.boolean().required(),
    revision_id: yup.number().integer().nullable().defined(),
    item: WrittenItem.required(),
  }),
  errors: [
    'studio_sync_post_not_found',
    'studio_sync_insufficient_permissions',
    'studio_sync_editor_mismatch',
    'studio_sync_conflict',
    'studio_sync_invalid_content',
  ],
  example: {
    body: { base_hash: writtenExample.hash, content: '<p>Hello</p>', title: 'Welcome' },
    answer: { success: true, changed: true, revision_id: 31, item: writtenExample },
  },
  handle: async ({ params, body }, call) => {
    const { post, changed, revisionId } = await call
      .get(Database)
      .transaction((trx) => write(trx, call, params.post_id, body));
    const item = await presentDocument(call, post, revisionId);
    return { success: true, changed, revision_id: revisionId, item };
  },
});
