import { defineMigration } from '@lyceum/core';

/** `blog_id` in every table, and first in its indexes: a row belongs to one site. */
export const createNotes = defineMigration({
  id: '001-notes',
  up: async (trx) => {
    await trx.raw(`
      create table my_module_notes (
        id integer generated always as identity primary key,
        blog_id integer not null,
        author_id integer not null,
        text text not null,
        -- null until the job has counted them
        words integer,
        created_at timestamptz(3) not null default now()
      );
      create index my_module_notes_site on my_module_notes (blog_id, id);
    `);
  },
});
