import type { Knex } from 'knex';
import { defineMigration } from '../../api/module.ts';

/** Posts, attachments, terms. Every index begins with the tenant, so that no site feels another's rows. */
export const createContent = defineMigration({
  id: '002-content',
  up: async (trx) => {
    await trx.raw(`
      create table posts (
        id integer generated always as identity primary key,
        blog_id integer not null references sites,
        type text not null,
        status text not null check (status in ('publish', 'draft', 'private', 'pending', 'future', 'trash')),
        trashed_status text,
        trashed_at timestamptz(3),
        title text not null default '',
        slug text not null,
        content text not null default '',
        excerpt text not null default '',
        author_id integer not null,
        parent_id integer not null default 0,
        menu_order integer not null default 0,
        lang text not null,
        featured_media integer not null default 0,
        meta jsonb not null default '{}',
        private_meta jsonb not null default '{}',
        hash text not null,
        search tsvector not null,
        created_at timestamptz(3) not null default now(),
        modified_at timestamptz(3) not null default now()
      );
      create unique index posts_slug on posts (blog_id, type, slug);
      create index posts_created on posts (blog_id, type, status, created_at, id);
      create index posts_menu_order on posts (blog_id, type, menu_order, id);
      create index posts_parent on posts (blog_id, parent_id) where parent_id <> 0;
      create index posts_author on posts (author_id);
      create index posts_future on posts (created_at) where status = 'future';
      create index posts_featured on posts (blog_id, featured_media) where featured_media <> 0;
      create table attachments (
        post_id integer primary key references posts on delete cascade,
        blog_id integer not null,
        mime_type text not null,
        -- below the site's /files/; stays when the file behind it is replaced, whose key is then a new one
        path text,
        file_key text,
        filename text not null,
        bytes bigint,
        sha256 text,
        width integer,
        height integer,
        duration double precision,
        alt text not null default '',
        source_url text,
        grant_epoch integer not null default 0
      );
      create index attachments_site on attachments (blog_id, mime_type, post_id);
      create index attachments_space on attachments (blog_id) include (bytes);
      create unique index attachments_path on attachments (blog_id, path) where path is not null;
      create unique index attachments_file on attachments (file_key) where file_key is not null;
      create table terms (
        id integer generated always as identity primary key,
        blog_id integer references sites,
        network_id integer references networks,
        taxonomy text not null,
        name text not null,
        -- lower-cased name where siblings may not share one, else null
        name_key text,
        slug text not null,
        parent integer not null default 0,
        "order" integer not null default 0,
        icon text not null default '',
        names jsonb not null default '{}',
        meta jsonb not null default '{}',
        check ((blog_id is null) <> (network_id is null))
      );
      create unique index terms_site_slug on terms (blog_id, taxonomy, slug) where blog_id is not null;
      create unique index terms_network_slug on terms (network_id, taxonomy, slug) where network_id is not null;
      create unique index terms_site_name on terms (blog_id, taxonomy, parent, name_key) where blog_id is not null;
      create unique index terms_network_name on terms (network_id, taxonomy, parent, name_key)
        where network_id is not null;
      create table post_terms (
        blog_id integer not null,
        post_id integer not null references posts on delete cascade,
        term_id integer not null references terms on delete cascade,
        primary key (post_id, term_id)
      );
      create index post_terms_term on post_terms (term_id, post_id);
      create table site_terms (
        blog_id integer not null references sites,
        term_id integer not null references terms on delete cascade,
        primary key (blog_id, term_id)
      );
      create index site_terms_term on site_terms (term_id, blog_id);
      alter table sites add foreign key (status_id) references terms on delete set null;
    `);
    await indexSearch(trx);
  },
});

/** With btree_gin a word that is common on other sites costs nothing here; some servers do not ship it. */
async function indexSearch(trx: Knex.Transaction): Promise<void> {
  const found = await trx('pg_available_extensions').where('name', 'btree_gin').first('name');
  if (found) {
    await trx.raw('create extension if not exists btree_gin');
    await trx.raw('create index posts_search on posts using gin (blog_id, search)');
  } else {
    await trx.raw('create index posts_search on posts using gin (search)');
  }
}
