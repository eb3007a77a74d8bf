import { defineMigration } from '@lyceum/core';

/**
 * What was last cut of each post: a sync reads this beside the posts and opens only those that changed. And which
 * posts changed since: a row waits for the job that its first change sent.
 */
export const createPostStates = defineMigration({
  id: '001-create-post-states',
  up: async (trx) => {
    await trx.raw(`
      create table embedding_posts (
        id_post integer primary key,
        blog_id integer not null,
        state text not null,
        recipe text not null
      );
      create index embedding_posts_site on embedding_posts (blog_id, id_post);
      create table embedding_changes (
        id_post integer primary key,
        blog_id integer not null
      );
      create index embedding_changes_site on embedding_changes (blog_id);
    `);
  },
});
