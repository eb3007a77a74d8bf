import { defineMigration, defineModule, yup } from '@lyceum/core';

const createShelf = defineMigration({
  id: '001-shelf',
  up: async (trx) => {
    await trx.raw(`
      create table shelf_books (
        id integer generated always as identity primary key,
        blog_id integer not null,
        page_id integer not null default 0,
        cover_id integer,
        tag_ids integer[] not null default '{}',
        sequel_id integer references shelf_books,
        owner_id integer,
        title text not null,
        notes jsonb,
        scan_key text,
        letters integer generated always as (length(title)) stored
      );
      create table shelf_loans (
        blog_id integer not null,
        book_id integer not null references shelf_books,
        day text not null,
        primary key (book_id, day)
      );
      create table shelf_names (blog_id integer primary key, name text not null);
      create table shelf_secrets (blog_id integer not null, secret text not null);
      create table shelf_greetings (blog_id integer not null);
    `);
  },
});

/** A module with tables of every kind that a copy of a site meets. */
export default defineModule({
  id: 'test_shelf',
  title: 'Shelf',
  defaultEnabled: true,
  settings: {
    color: { schema: yup.string().max(200), default: '', scope: 'site' },
    room: { schema: yup.string().max(200), default: '', scope: 'site' },
    code: { schema: yup.string().max(200), default: null, scope: 'site', secret: true },
  },
  tables: {
    shelf_loans: { copy: 'rows', refs: { book_id: 'module:shelf_books' } },
    shelf_books: {
      copy: 'rows',
      refs: {
        page_id: 'post',
        cover_id: 'attachment',
        tag_ids: 'term',
        owner_id: 'user',
        sequel_id: 'module:shelf_books',
      },
      files: { keys: ['scan_key'], folder: 'books/{id}' },
    },
    shelf_names: { copy: 'rows' },
    shelf_secrets: { copy: 'none' },
  },
  migrations: [createShelf],
  hooks: {
    onSiteCreated: async (site, { trx }) => {
      await trx('shelf_greetings').insert({ blog_id: site.blog_id });
    },
  },
});
