import { defineMigration } from '@lyceum/core';

/** A project is of one site; what it knows of a page outlives the post, so that a post that is gone is noticed. */
export const createLocalProjects = defineMigration({
  id: '001-local-projects',
  up: async (trx) => {
    await trx.raw(`
      create table local_projects (
        project_id integer generated always as identity primary key,
        blog_id integer not null references sites,
        project text not null,
        name text not null,
        -- of the sync whose turn it is: one that finds another here writes nothing more
        turn uuid,
        created_at timestamptz(3) not null default clock_timestamp(),
        last_sync_at timestamptz(3),
        last_sync_id uuid,
        last_summary jsonb,
        unique (blog_id, project)
      );
      create index local_projects_newest on local_projects (blog_id, last_sync_at desc nulls last, project_id);
      create table local_project_pages (
        project_id integer not null references local_projects on delete cascade,
        blog_id integer not null references sites,
        key text not null,
        post_id integer not null,
        -- the post that was its parent when its fields were written; 0 for none
        parent_id integer not null,
        post_type text not null,
        slug text not null,
        editor text not null,
        source text not null,
        source_hash text not null,
        document_hash text not null,
        fields_hash text not null,
        synced_at timestamptz(3) not null default clock_timestamp(),
        primary key (project_id, key)
      );
      create index local_project_pages_site on local_project_pages (blog_id);
      create index local_project_pages_post on local_project_pages (post_id, project_id);
      -- which content of which files the document of a page names
      create table local_page_files (
        project_id integer not null,
        blog_id integer not null references sites,
        key text not null,
        path text not null,
        sha256 text not null,
        primary key (project_id, key, path),
        foreign key (project_id, key) references local_project_pages on delete cascade
      );
      create index local_page_files_site on local_page_files (blog_id);
      create index local_page_files_file on local_page_files (project_id, path, sha256);
      create table local_project_files (
        id integer generated always as identity primary key,
        blog_id integer not null references sites,
        -- null in the copy of a site: the project stays with the site that it was copied from
        project_id integer references local_projects on delete cascade,
        path text not null,
        sha256 text not null,
        bytes integer not null,
        mime_type text not null,
        file_key text not null unique,
        -- below the folder of this module's files
        served text not null,
        stored_at timestamptz(3) not null default clock_timestamp(),
        -- another content has the path; kept while pages name it
        superseded_at timestamptz(3)
      );
      create unique index local_project_files_served on local_project_files (blog_id, served);
      create unique index local_project_files_path on local_project_files (project_id, path)
        where superseded_at is null;
      create index local_project_files_old on local_project_files (superseded_at) where superseded_at is not null;
      -- stored files that no row has, not yet or not any more
      create table local_stray_files (
        file_key text primary key,
        blog_id integer not null references sites,
        noted_at timestamptz(3) not null default clock_timestamp()
      );
      create index local_stray_files_site on local_stray_files (blog_id);
      create index local_stray_files_noted on local_stray_files (noted_at);
    `);
  },
});
