import { defineMigration } from '../../api/module.ts';

/** Files that are stored for rows which are not written yet: so what a killed process leaves of them is found. */
export const createUnclaimedFiles = defineMigration({
  id: '010-unclaimed-files',
  up: async (trx) => {
    await trx.raw(`
      create table unclaimed_files (
        file_key text primary key,
        noted_at timestamptz(3) not null default now()
      );
      create index unclaimed_files_noted on unclaimed_files (noted_at);
    `);
  },
});
