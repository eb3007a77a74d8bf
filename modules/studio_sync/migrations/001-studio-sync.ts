import { defineMigration } from '@lyceum/core';

/** Tokens are known to their clients alone; here stand their SHA-256. */
export const createStudioSync = defineMigration({
  id: '001-studio-sync',
  up: async (trx) => {
    await trx.raw(`
      create table studio_connect_tokens (
        id integer generated always as identity primary key,
        token_hash bytea not null unique,
        blog_id integer not null references sites,
        user_id integer not null references users on delete cascade,
        label text,
        created_at timestamptz(3) not null default clock_timestamp(),
        expires_at timestamptz(3) not null,
        used_at timestamptz(3)
      );
      create index studio_connect_tokens_site on studio_connect_tokens (blog_id);
      create index studio_connect_tokens_user on studio_connect_tokens (user_id, id);
      create index studio_connect_tokens_expiry on studio_connect_tokens (expires_at);
      create table studio_connections (
        connection_id uuid primary key default gen_random_uuid(),
        token_hash bytea not null unique,
        network_id integer not null,
        blog_id integer not null references sites,
        -- stays when the user is deleted: then the connection is revoked
        user_id integer not null,
        device_name text not null,
        platform text,
        app_version text,
        created_at timestamptz(3) not null default clock_timestamp(),
        last_used_at timestamptz(3),
        revoked_at timestamptz(3)
      );
      create index studio_connections_site on studio_connections (blog_id, created_at);
      create index studio_connections_user on studio_connections (user_id, network_id);
    `);
  },
});
