import { defineMigration } from '@lyceum/core';

/** Finds records by their title, whatever its length: a free one is looked for among namesakes only. */
export const indexTitles = defineMigration({
  id: '001-index-titles',
  up: async (trx) => {
    await trx.raw(`
      create index post_duplicator_titles on posts (blog_id, type, md5(title)) where status <> 'trash'
    `);
  },
});
