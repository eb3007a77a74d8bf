import { defineMigration } from '../../api/module.ts';

/** What the processes of an installation tell each other of packages that came, went or changed. */
export const createPackages = defineMigration({
  id: '011-packages',
  up: async (trx) => {
    await trx.raw(`
      alter table installation
        add column packages_generation bigint not null default 0,
        add column packages_seen text
    `);
  },
});
