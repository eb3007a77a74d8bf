import { defineMigration } from '@lyceum/core';

/**
 * `blog_id` 0 is the network's license. `generation` changes with every activation, so that an answer about a key that
 * was replaced meanwhile changes nothing; of two checks the one that began later wins (`check_begun`, `check_done`).
 */
export const createLicenses = defineMigration({
  id: '001-create-licenses',
  up: async (trx) => {
    await trx.raw(`
      create table licenses (
        license_id integer generated always as identity primary key,
        network_id integer not null,
        blog_id integer not null,
        product_id text not null,
        generation uuid not null,
        kind text not null check (kind in ('server', 'offline')),
        sealed_key jsonb not null,
        key_hint text not null,
        seat_hash bytea,
        url text not null,
        share double precision not null,
        verdict text not null,
        noted_status text not null,
        expires_at timestamptz,
        lifetime boolean not null,
        seat_limit integer not null,
        seats_used integer,
        seats_left integer,
        customer_name text,
        customer_email text,
        answer jsonb not null,
        failure jsonb,
        activated_at timestamptz not null,
        checked_at timestamptz not null,
        answered_at timestamptz not null,
        refreshed_at timestamptz,
        queued_at timestamptz,
        check_begun integer not null default 0,
        check_done integer not null default 0,
        unique (network_id, blog_id, product_id)
      );
      create table license_seats (
        product_id text not null,
        key_hash bytea not null,
        network_id integer not null,
        blog_id integer not null,
        primary key (product_id, key_hash, network_id, blog_id)
      );
      create index license_seats_place on license_seats (network_id, blog_id);
      create table license_turns (
        network_id integer not null,
        blog_id integer not null,
        product_id text not null,
        token uuid not null,
        until timestamptz not null,
        primary key (network_id, blog_id, product_id)
      );
      create table license_versions (
        network_id integer not null,
        product_id text not null,
        version jsonb,
        fetched_at timestamptz,
        asked_at timestamptz not null,
        primary key (network_id, product_id)
      );
    `);
  },
});
