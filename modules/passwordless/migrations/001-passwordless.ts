import { defineMigration } from '@lyceum/core';

/** Challenges belong to a site; locks and counts to the installation, so that guessing cannot be spread over sites. */
export const createPasswordless = defineMigration({
  id: '001-passwordless',
  up: async (trx) => {
    await trx.raw(`
      create table passwordless_challenges (
        id uuid primary key,
        blog_id integer not null references sites,
        -- HMAC of the account, or of a text that names none: stored alike
        login_key bytea not null,
        -- no reference: checking one would be work that only a known login costs
        user_id integer,
        -- HMAC of the code; null until the mail is written, and for ever where nobody gets one
        pin_hash bytea,
        attempts integer not null default 0,
        created_at timestamptz(3) not null default clock_timestamp(),
        expires_at timestamptz(3) not null,
        sent_at timestamptz(3),
        consumed_at timestamptz(3),
        superseded boolean not null default false,
        -- all its attempts are used up
        burnt boolean not null default false
      );
      create index passwordless_challenges_login on passwordless_challenges (login_key, created_at);
      create index passwordless_challenges_site on passwordless_challenges (blog_id, expires_at);
      create index passwordless_challenges_expiry on passwordless_challenges (expires_at);
      create table passwordless_locks (
        login_key bytea primary key,
        failures integer not null default 0,
        window_start timestamptz(3) not null default clock_timestamp(),
        locked_until timestamptz(3)
      );
      create index passwordless_locks_window on passwordless_locks (window_start);
      create table passwordless_counts (
        -- what is counted, and of whom
        key text primary key,
        count integer not null,
        until timestamptz(3) not null
      );
      create index passwordless_counts_until on passwordless_counts (until);
    `);
  },
});
