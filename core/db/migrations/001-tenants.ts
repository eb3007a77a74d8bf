import { defineMigration } from '../../api/module.ts';

/** Networks and sites. A removed site's row stays, so that its id is never used again. */
export const createTenants = defineMigration({
  id: '001-tenants',
  up: async (trx) => {
    await trx.raw(`
      create table networks (
        network_id integer generated always as identity primary key,
        domain text not null,
        path text not null,
        root_blog_id integer,
        created_at timestamptz(3) not null default now(),
        created_by integer,
        unique (domain, path)
      );
      create table network_options (
        network_id integer not null references networks on delete cascade,
        name text not null,
        value jsonb not null,
        primary key (network_id, name)
      );
      create table sites (
        blog_id integer generated always as identity primary key,
        network_id integer not null references networks,
        domain text not null,
        path text not null,
        slug text not null,
        title text not null,
        description text not null default '',
        status_id integer,
        registered timestamptz(3) not null default now(),
        last_updated timestamptz(3) not null default now(),
        public smallint not null default 1,
        archived smallint not null default 0,
        deleted smallint not null default 0,
        spam smallint not null default 0,
        mature smallint not null default 0,
        is_template boolean not null default false,
        state text not null default 'ready' check (state in ('creating', 'ready', 'removed')),
        removed_at timestamptz(3)
      );
      create unique index sites_address on sites (domain, path) where state <> 'removed';
      create index sites_network on sites (network_id, blog_id) where state = 'ready';
      create index sites_status on sites (status_id) where status_id is not null;
      alter table networks add foreign key (root_blog_id) references sites deferrable initially deferred;
      create table site_options (
        blog_id integer not null references sites,
        name text not null,
        value jsonb not null,
        primary key (blog_id, name)
      );
    `);
  },
});
