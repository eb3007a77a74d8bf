import { defineMigration } from '../../api/module.ts';

/** The installation's revision and multi-network commit, audit rows, stored answers. */
export const createState = defineMigration({
  id: '004-state',
  up: async (trx) => {
    await trx.raw(`
      create table installation (
        one boolean primary key default true check (one),
        revision bigint not null default 1,
        multi_network_at timestamptz(3),
        multi_network_by integer
      );
      insert into installation default values;
      create table audit_log (
        id bigint generated always as identity primary key,
        at timestamptz(3) not null default now(),
        user_id integer,
        user_login text,
        ip text,
        request_id text,
        network_id integer,
        blog_id integer,
        module text not null,
        action text not null,
        scope text,
        subject text not null,
        "from" jsonb,
        "to" jsonb
      );
      create index audit_network on audit_log (network_id, id);
      create index audit_site on audit_log (blog_id, id);
      create index audit_at on audit_log (at);
      create table idempotency_keys (
        user_id integer not null references users on delete cascade,
        method text not null,
        path text not null,
        key text not null,
        body_hash bytea not null,
        started_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        -- sealed; null while the first request runs
        answer text,
        primary key (user_id, method, path, key)
      );
      create index idempotency_expiry on idempotency_keys (expires_at);
    `);
  },
});
