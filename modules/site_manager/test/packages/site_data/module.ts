import { setTimeout as wait } from 'node:timers/promises';
import { defineJob, defineMigration, defineModule, fail } from '@lyceum/core';

const createTables = defineMigration({
  id: '001-data',
  up: async (trx) => {
    await trx.raw(`
      create table test_a_folders (
        id integer generated always as identity primary key,
        blog_id integer not null,
        parent integer references test_a_folders
      );
      create index on test_a_folders (blog_id);
      create index on test_a_folders (parent);
      create table test_b_papers (
        blog_id bigint not null,
        number integer not null,
        folder integer not null references test_a_folders,
        primary key (blog_id, number)
      );
      create table test_c_pages (
        blog_id text not null,
        paper_blog bigint not null,
        paper integer not null,
        foreign key (paper_blog, paper) references test_b_papers (blog_id, number) on delete cascade
      );
      create table "test D parts" (blog_id integer not null, n integer not null) partition by range (n);
      create table "test D low" partition of "test D parts" for values from (0) to (10);
      create table "test D high" partition of "test D parts" for values from (10) to (20);
      create table test_e_told (site integer not null);
    `);
  },
});

/** Runs until it is told to stop. */
const hold = defineJob<Record<string, never>>({
  id: 'test_site_data.hold',
  title: 'Hold',
  run: async (job) => {
    await job.step(async () => ({ phase: 'holding' }));
    await wait(60_000, undefined, { signal: job.signal });
    return {};
  },
});

/** Keeps rows in tables of every shape; told of removals, which it refuses for sites named `Precious`. */
export default defineModule({
  id: 'test_site_data',
  title: 'Data of sites',
  migrations: [createTables],
  defaultEnabled: true,
  errors: { test_precious: { status: 409, message: 'This site is precious.' } },
  errorsElsewhere: { 'site_manager.remove-site': ['test_precious'] },
  jobs: [hold],
  hooks: {
    onSiteRemoved: async ({ blog_id }, { trx }) => {
      const site = await trx('sites').where({ blog_id }).first('title');
      await trx('test_e_told').insert({ site: blog_id });
      if (site.title === 'Precious') fail('test_precious');
    },
  },
});
