import { defineMigration } from '@lyceum/core';

export const createBuilds = defineMigration({
  id: '001-builds',
  up: async (trx) => {
    await trx.raw(`
      create table static_builds (
        id integer generated always as identity primary key,
        blog_id integer not null,
        build_course_id integer not null default 0,
        config jsonb not null,
        page_ids integer[] not null,
        status text not null default 'new' check (status in ('new', 'pending', 'build', 'rebuild', 'building',
          'completed', 'stopping', 'stopped', 'error')),
        revision integer not null default 0,
        published_revision integer,
        published_zip text,
        token text not null,
        job_id uuid,
        run_id uuid,
        losses integer not null default 0,
        trouble text,
        percent integer not null default 0,
        current integer not null default 0,
        total integer not null default 0,
        author_id integer not null,
        created_at timestamptz(3) not null default now(),
        configured_at timestamptz(3) not null default now(),
        modified_at timestamptz(3) not null default now()
      );
      create index static_builds_modified on static_builds (blog_id, modified_at desc, id desc);
      create index static_builds_course on static_builds (blog_id, build_course_id, modified_at desc, id desc)
        where build_course_id <> 0;
      create table static_build_logs (
        id bigint generated always as identity primary key,
        blog_id integer not null,
        build_id integer not null references static_builds on delete cascade,
        at timestamptz(3) not null default now(),
        level text not null check (level in ('info', 'warning', 'error')),
        step text not null
      );
      create index static_build_logs_newest on static_build_logs (build_id, id desc);
      create index static_build_logs_site on static_build_logs (blog_id);
      -- what a page renders to, whichever builds have it
      create table static_build_page_cache (
        blog_id integer not null,
        page_id integer not null,
        hash text not null,
        html text not null,
        facts jsonb not null,
        used_at timestamptz(3) not null default now(),
        primary key (blog_id, page_id, hash)
      );
      -- the pages of a revision in their order; hash leads to the cache
      create table static_build_pages (
        blog_id integer not null,
        build_id integer not null references static_builds on delete cascade,
        revision integer not null,
        number integer not null,
        page_id integer not null,
        hash text not null,
        title text not null,
        slug text not null,
        href text not null,
        language text not null,
        permalink text not null,
        section_id integer,
        section_name text,
        modified_at timestamptz(3) not null,
        primary key (build_id, revision, number)
      );
      create index static_build_pages_site on static_build_pages (blog_id);
      -- what the pages of a revision name, each once: where it came from, and where it lies in the course
      create table static_build_references (
        blog_id integer not null,
        build_id integer not null references static_builds on delete cascade,
        revision integer not null,
        key text not null,
        kind text not null check (kind in ('file', 'external', 'player')),
        url text not null,
        page_id integer not null,
        state text not null default 'open' check (state in ('open', 'found', 'left')),
        -- where the bytes came from; the same word stands for the same bytes
        source text,
        path text,
        facts jsonb,
        primary key (build_id, revision, key)
      );
      create index static_build_references_open on static_build_references (build_id, revision, kind, key)
        where state = 'open';
      create index static_build_references_site on static_build_references (blog_id);
      -- the files of revisions; without file_key only what is known of one that was superseded
      create table static_build_files (
        blog_id integer not null,
        build_id integer not null references static_builds on delete cascade,
        revision integer not null,
        path text collate "C" not null,
        kind text not null check (kind in ('page', 'media', 'package', 'player', 'manifest', 'zip')),
        page_id integer,
        -- of what a page or a copied file was made; the same word stands for the same bytes
        source text,
        file_key text,
        bytes bigint not null,
        sha256 text not null,
        mime_type text not null,
        stored_at timestamptz(3) not null default now(),
        primary key (build_id, revision, path)
      );
      create index static_build_files_site on static_build_files (blog_id);
    `);
  },
});
