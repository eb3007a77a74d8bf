import { defineMigration } from '@lyceum/core';

/** What imports brought in, that a site has one at a time, and where its publishing jobs are. */
export const createImport = defineMigration({
  id: '001-import',
  up: async (trx) => {
    await trx.raw(`
      create table import_map (
        blog_id integer not null,
        -- address of the site that was exported
        base_url text not null,
        kind text not null,
        old_id text not null,
        new_id integer not null references posts on delete cascade,
        -- what is left to link when everything is there
        links jsonb,
        primary key (blog_id, base_url, kind, old_id)
      );
      create index import_map_post on import_map (new_id);
      create index import_map_links on import_map (blog_id, base_url, new_id) where links is not null;
      create unique index jobs_one_import on jobs (blog_id) where type = 'host.import' and completed_at is null;
      create index jobs_publish on jobs (blog_id) where type = 'host.publish';
    `);
  },
});
