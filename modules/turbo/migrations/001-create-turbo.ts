import { defineMigration } from '@lyceum/core';

/**
 * Each folder has its row before its first file, so what a killed process leaves is found. The one that a page has now
 * is the one without an end. A submission is known by the id that its client made up, and what it was answered.
 */
export const createTurbo = defineMigration({
  id: '001-create-turbo',
  up: async (trx) => {
    await trx.raw(`
      create table turbo_static (
        id integer generated always as identity primary key,
        blog_id integer not null,
        page_id integer not null,
        folder text not null unique,
        -- null until all files are there
        source_hash text,
        files jsonb not null default '{}',
        placeholders jsonb not null default '[]',
        missing jsonb not null default '[]',
        built_at timestamptz(3),
        remove_after timestamptz(3)
      );
      create unique index turbo_static_page on turbo_static (page_id) where remove_after is null;
      create index turbo_static_pages on turbo_static (blog_id, page_id);
      create index turbo_static_due on turbo_static (remove_after) where remove_after is not null;
      create table turbo_submissions (
        blog_id integer not null,
        submission_id uuid not null,
        form_id integer not null,
        user_id integer not null,
        -- null only inside of the transaction that stores it
        answer jsonb,
        created_at timestamptz(3) not null,
        primary key (blog_id, submission_id)
      );
      create index turbo_submissions_age on turbo_submissions (created_at);
    `);
  },
});
