import { Database, defineModule } from '@lyceum/core';
import { countWords } from './jobs/count-words.ts';
import { createNotes } from './migrations/001-notes.ts';
import { NoteStore } from './note-store.ts';
import { addNote } from './operations/add-note.ts';
import { listNotes } from './operations/list-notes.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'my_module',
  title: 'My module',
  description: 'Short notes of a site.',
  namespaces: ['acme/my-module/v1'],
  settings,
  errors: { my_module_full: { status: 409, message: 'The site has as many notes as it may have.' } },
  tables: { my_module_notes: { copy: 'rows', refs: { author_id: 'user' } } },
  migrations: [createNotes],
  operations: [listNotes, addNote],
  jobs: [countWords],
  services: (provide) => [provide(NoteStore, [Database], (db) => new NoteStore(db))],
});
