import { defineMigration } from '@lyceum/core';

export const createQueue = defineMigration({
  id: '001-queue',
  up: async (trx) => {
    await trx.raw(`
      create table encode_queue (
        id integer generated always as identity primary key,
        queue_key uuid not null unique,
        blog_id integer not null,
        attachment_id integer not null,
        user_id integer not null,
        -- what follows from the formats, written with each change of one
        status text not null default 'pending'
          check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
        percent integer not null default 0,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        completed_at timestamptz(3)
      );
      create index encode_queue_site on encode_queue (blog_id, id);
      create index encode_queue_status on encode_queue (blog_id, status, id);
      create index encode_queue_attachment on encode_queue (blog_id, attachment_id, id);
      create table encode_queue_formats (
        id integer generated always as identity primary key,
        entry_id integer not null references encode_queue on delete cascade,
        blog_id integer not null,
        attachment_id integer not null,
        job_type text not null,
        format text not null,
        options jsonb not null,
        status text not null default 'pending'
          check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
        percent integer not null default 0,
        speed double precision,
        eta_seconds double precision,
        bytes bigint,
        path text,
        attempts integer not null default 0,
        losses integer not null default 0,
        -- the host's job that runs it, and the one run of that which may write
        job_id uuid,
        run_id uuid,
        error jsonb,
        started_at timestamptz(3),
        completed_at timestamptz(3)
      );
      create unique index encode_queue_formats_active on encode_queue_formats (attachment_id, format)
        where status in ('pending', 'running');
      create index encode_queue_formats_entry on encode_queue_formats (entry_id, id);
      create index encode_queue_formats_next on encode_queue_formats (blog_id, job_type, entry_id, id)
        where status = 'pending';
      create table encode_pauses (blog_id integer primary key);
    `);
  },
});
