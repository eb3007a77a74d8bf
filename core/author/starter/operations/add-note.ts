import { callerOf, Database, defineOperation, fail, Jobs, yup } from '@lyceum/core';
import { Note } from '../note.ts';
import { NoteStore } from '../note-store.ts';

export const addNote = defineOperation({
  id: 'my_module.add-note',
  method: 'POST',
  path: 'acme/my-module/v1/notes',
  summary: 'Add a note to the site',
  access: { can: 'edit_posts' },
  input: { body: yup.object({ text: yup.string().trim().min(1).max(2000).required() }) },
  success: 201,
  output: Note,
  errors: ['my_module_full'],
  example: { body: { text: 'Water the plants.' } },
  handle: ({ body }, call) =>
    call.get(Database).transaction(async (trx) => {
      const { site } = call;
      const author = callerOf(call).id;
      const note = { blog_id: site.blog_id, author_id: author, text: body.text };
      const row = await call.get(NoteStore).add(trx, note, call.setting<number>('most_notes'));
      if (!row) return fail('my_module_full');
      // In the same transaction: either both the note and its job are there, or neither.
      await call.get(Jobs).enqueue(trx, {
        type: 'my_module.count-words',
        payload: { note_id: row.id },
        site,
        userId: author,
        startAfterSeconds: 0,
      });
      return row;
    }),
});
