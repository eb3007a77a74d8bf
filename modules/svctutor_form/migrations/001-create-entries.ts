import { defineMigration } from '@lyceum/core';

/**
 * Entries go with their form, and forget a user who is gone. Their number is kept beside them: whoever shows a form
 * should not have to count a million rows.
 */
export const createEntries = defineMigration({
  id: '001-create-entries',
  up: async (trx) => {
    await trx.raw(`
      create table form_entries (
        entry_id integer generated always as identity primary key,
        id uuid not null,
        blog_id integer not null,
        form_id integer not null references posts on delete cascade,
        index integer not null,
        user_id integer references users on delete set null,
        page_id integer,
        fingerprint text not null,
        stencil text not null,
        fields jsonb not null,
        language text,
        locale text,
        created_at timestamptz(3) not null,
        unique (form_id, index)
      );
      create index form_entries_site on form_entries (blog_id, created_at);
      create index form_entries_user on form_entries (user_id) where user_id is not null;
      create table form_entry_counts (
        form_id integer primary key references posts on delete cascade,
        blog_id integer not null,
        entries integer not null
      );
      create index form_entry_counts_site on form_entry_counts (blog_id);
    `);
  },
});
