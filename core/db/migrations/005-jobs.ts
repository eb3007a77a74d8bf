import { defineMigration } from '../../api/module.ts';

/** What clients see of jobs, and their events. The queue itself is pg-boss's, in a schema of its own. */
export const createJobs = defineMigration({
  id: '005-jobs',
  up: async (trx) => {
    await trx.raw(`
      create table jobs (
        job_id uuid primary key,
        type text not null,
        module text not null,
        lane text not null,
        status text not null default 'pending'
          check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
        phase text not null default '',
        percent integer not null default 0,
        current bigint not null default 0,
        total bigint not null default 0,
        message text not null default '',
        user_id integer,
        network_id integer not null,
        blog_id integer not null,
        payload jsonb not null,
        result jsonb,
        error jsonb,
        cancellable boolean not null,
        cancel_requested boolean not null default false,
        -- waits for its module to be switched on
        parked boolean not null default false,
        -- the one run that may write; a worker that was thought dead holds an old one
        run_token uuid,
        losses integer not null default 0,
        tries integer not null default 0,
        cursor jsonb,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        completed_at timestamptz(3),
        check ((completed_at is not null) = (status in ('completed', 'failed', 'cancelled'))),
        check ((result is null) or status = 'completed'),
        check ((error is not null) = (status = 'failed'))
      );
      create index jobs_user on jobs (user_id, network_id, created_at desc, job_id);
      create index jobs_network on jobs (network_id, created_at desc, job_id);
      create index jobs_site on jobs (blog_id, type) where status in ('pending', 'running');
      create index jobs_parked on jobs (module, blog_id) where parked;
      create index jobs_done on jobs (completed_at) where completed_at is not null;
      create table job_events (
        id bigint generated always as identity primary key,
        job_id uuid not null references jobs on delete cascade,
        at timestamptz(3) not null default now(),
        level text not null,
        phase text not null,
        message text not null,
        progress jsonb not null,
        data jsonb
      );
      create index job_events_job on job_events (job_id, id);
    `);
  },
});
