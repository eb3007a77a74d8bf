import { defineMigration } from '@lyceum/core';

/** Keys of files are those below the package's own folder, so that a copy of the site needs no new ones. */
export const createEmbedPackages = defineMigration({
  id: '001-embed-packages',
  up: async (trx) => {
    await trx.raw(`
      create table embed_packages (
        id integer generated always as identity primary key,
        blog_id integer not null references sites,
        title text not null,
        slug text not null,
        source text not null,
        entry text,
        revision integer not null,
        -- the folder of this revision's files, below that of the package
        place text,
        files integer not null,
        bytes bigint not null,
        content_hash text,
        token text not null,
        author_id integer not null,
        created_at timestamptz(3) not null default clock_timestamp(),
        modified_at timestamptz(3) not null default clock_timestamp(),
        unique (blog_id, slug)
      );
      create index embed_packages_modified on embed_packages (blog_id, modified_at, id);
      create index embed_packages_title on embed_packages (blog_id, lower(title), id);
      create table embed_package_files (
        blog_id integer not null,
        package_id integer not null references embed_packages on delete cascade,
        revision integer not null,
        path text not null,
        file_key text not null,
        bytes bigint not null,
        mime_type text not null,
        stored_at timestamptz(3) not null default clock_timestamp(),
        primary key (package_id, revision, path)
      );
      create index embed_package_files_site on embed_package_files (blog_id);
      create table embed_package_pages (
        blog_id integer not null,
        package_id integer not null references embed_packages on delete cascade,
        revision integer not null,
        path text not null,
        title text not null,
        lang text,
        position integer not null,
        primary key (package_id, revision, path)
      );
      create index embed_package_pages_site on embed_package_pages (blog_id);
      create unique index embed_package_pages_order on embed_package_pages (package_id, revision, position);
      create table embed_page_bindings (
        -- gone with the page
        page_id integer primary key references posts on delete cascade,
        blog_id integer not null,
        -- refers to nothing: a binding outlives its package
        package_id integer not null,
        path text,
        materialized boolean not null,
        updated_at timestamptz(3) not null default clock_timestamp()
      );
      create index embed_page_bindings_package on embed_page_bindings (package_id, page_id);
      create index embed_page_bindings_site on embed_page_bindings (blog_id);
      -- folders of files that no revision has: not yet, or not any more
      create table embed_package_remains (
        folder text primary key,
        blog_id integer not null,
        package_id integer not null,
        revision integer,
        remove_after timestamptz(3) not null
      );
      create index embed_package_remains_due on embed_package_remains (remove_after);
      create index embed_package_remains_site on embed_package_remains (blog_id);
    `);
  },
});
