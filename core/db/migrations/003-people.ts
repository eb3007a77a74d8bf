import { defineMigration } from '../../api/module.ts';

/** Users belong to the installation, roles to sites, super admins to networks. Secrets are stored as hashes. */
export const createPeople = defineMigration({
  id: '003-people',
  up: async (trx) => {
    await trx.raw(`
      create table users (
        id integer generated always as identity primary key,
        -- where it was registered: the network that knows it while it is a member of nothing
        network_id integer references networks on delete set null,
        login text not null,
        email text not null,
        password_hash text,
        display_name text not null,
        nicename text not null,
        first_name text not null default '',
        last_name text not null default '',
        locale text not null default 'en',
        registered timestamptz(3) not null default now()
      );
      create unique index users_login on users (lower(login));
      create unique index users_email on users (lower(email));
      create unique index users_nicename on users (nicename);
      create index users_network on users (network_id, id);
      create table user_meta (
        user_id integer not null references users on delete cascade,
        key text not null,
        value jsonb not null,
        primary key (user_id, key)
      );
      create table memberships (
        blog_id integer not null references sites,
        user_id integer not null references users on delete cascade,
        role text not null,
        primary key (blog_id, user_id)
      );
      create index memberships_user on memberships (user_id, blog_id);
      create table super_admins (
        network_id integer not null references networks on delete cascade,
        user_id integer not null references users on delete cascade,
        primary key (network_id, user_id)
      );
      create index super_admins_user on super_admins (user_id);
      create table sessions (
        token_hash bytea primary key,
        user_id integer not null references users on delete cascade,
        remember boolean not null,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        ip text not null,
        user_agent text not null
      );
      create index sessions_user on sessions (user_id);
      create index sessions_expiry on sessions (expires_at);
      create table application_passwords (
        uuid uuid primary key,
        user_id integer not null references users on delete cascade,
        name text not null,
        hash bytea not null unique,
        created_at timestamptz(3) not null default now(),
        last_used_at timestamptz(3),
        last_ip text
      );
      create index application_passwords_user on application_passwords (user_id, created_at);
      create table rate_limits (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      );
      create index rate_limits_expire on rate_limits (expire);
    `);
  },
});
