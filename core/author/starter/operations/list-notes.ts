import { defineOperation, page, pageQuery, yup } from '@lyceum/core';
import { Note } from '../note.ts';
import { NoteStore } from '../note-store.ts';

export const listNotes = defineOperation({
  id: 'my_module.list-notes',
  method: 'GET',
  path: 'acme/my-module/v1/notes',
  summary: 'The notes of the site, newest first',
  access: { can: 'read' },
  input: { query: yup.object(pageQuery()) },
  output: yup.array().of(Note).required(),
  paged: true,
  handle: async ({ query }, call) => {
    const { rows, total } = await call
      .get(NoteStore)
      .list(call.site.blog_id, query.per_page, (query.page - 1) * query.per_page);
    return page(rows, total);
  },
});
