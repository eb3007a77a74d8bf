import { defineMigration } from '../../api/module.ts';

/** Removed sites that may come back, and an index for each table whose rows a purge looks for by site. */
export const createRemovedSites = defineMigration({
  id: '008-removed-sites',
  up: async (trx) => {
    await trx.raw(`
      -- of a removed site: its rows and files wait for its return, or for the purge; null: nothing is left
      alter table sites add column remains text check (remains in ('kept', 'purging'));
      alter table sites add check (remains is null or state = 'removed');
      create index sites_remains on sites (network_id, remains, removed_at, blog_id) where remains is not null;
      create index post_terms_site on post_terms (blog_id);
      create index jobs_of_site on jobs (blog_id);
    `);
  },
});
