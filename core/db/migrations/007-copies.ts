import { defineMigration } from '../../api/module.ts';

/** Which record became which in a copy of a site that is being made, and gates that let few jobs through at once. */
export const createCopies = defineMigration({
  id: '007-copies',
  up: async (trx) => {
    await trx.raw(`
      create table site_copy_map (
        job_id uuid not null references jobs on delete cascade,
        -- post, term, attachment, or module:<table>
        kind text not null,
        old_id bigint not null,
        -- 0: there is no copy, and references to it go
        new_id bigint not null,
        primary key (job_id, kind, old_id)
      );
      -- a site's records in the order of their ids, without a look at those of others
      create index posts_site on posts (blog_id, id);
      create index terms_site on terms (blog_id, id) where blog_id is not null;
      create index sites_creating on sites (blog_id) where state = 'creating';
      alter table jobs
        -- jobs of one gate pass it a few at a time; null: they take their turn by site
        add column gate text,
        add column gate_limit integer,
        -- stands before the gate, and in no queue
        add column waits boolean not null default false;
      create index jobs_gate on jobs (gate, created_at, job_id) where gate is not null and completed_at is null;
    `);
  },
});
