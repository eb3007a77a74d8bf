import { defineMigration } from '../../api/module.ts';

/** Which ticket of the queue a job waits or runs by: any other one that names it is an old one. */
export const createJobTickets = defineMigration({
  id: '009-job-tickets',
  up: async (trx) => {
    await trx.raw(`
      -- null: it has ended, is parked, or stands before its gate
      alter table jobs add column ticket uuid;
      create index jobs_open on jobs (job_id) where completed_at is null;
    `);
  },
});
