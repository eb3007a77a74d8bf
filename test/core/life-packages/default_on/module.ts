import { defineMigration, defineModule } from '@lyceum/core';

/** Knows the sites that it has met. */
export default defineModule({
  id: 'test_life_on',
  title: 'Life',
  defaultEnabled: true,
  tables: { test_life_on: { copy: 'none' } },
  migrations: [
    defineMigration({
      id: '001-life',
      up: async (trx) => void (await trx.raw('create table test_life_on (blog_id integer primary key)')),
    }),
  ],
  hooks: {
    onSiteCreated: async ({ blog_id }, { trx }) => void (await trx('test_life_on').insert({ blog_id })),
  },
});
