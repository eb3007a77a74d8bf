import { defineMigration } from '../../api/module.ts';

/** When periodic work is due and who does it; what it looks for has an index each. */
export const createSchedules = defineMigration({
  id: '006-schedules',
  up: async (trx) => {
    await trx.raw(`
      create table schedules (
        id text primary key,
        next_at timestamptz(3) not null,
        -- the one turn that runs, and until when it is believed to
        turn uuid,
        turn_until timestamptz(3)
      );
      create index posts_trashed on posts (trashed_at) where status = 'trash';
      -- files that were fetched, by where they came from; an address may be longer than an index takes
      create index attachments_source on attachments (blog_id, md5(source_url))
        where source_url is not null and path is not null;
    `);
  },
});
