import { defineMigration, defineModule, on } from '@lyceum/core';

const createRenditions = defineMigration({
  id: '001-renditions',
  up: async (trx) => {
    await trx.raw(`
      create table renditions (
        id integer generated always as identity primary key,
        blog_id integer not null,
        attachment_id integer not null,
        name text not null,
        of_sha256 text not null
      );
      create table rendition_queue (blog_id integer not null, attachment_id integer not null, key text not null);
    `);
  },
});

/** A module that makes something of files: it says what, and takes it away when the file is replaced. */
export default defineModule({
  id: 'test_renditions',
  title: 'Renditions',
  defaultEnabled: true,
  tables: { renditions: { copy: 'none' }, rendition_queue: { copy: 'none' } },
  migrations: [createRenditions],
  listeners: [
    on('attachment.derived', async ({ attachment, report }, { trx }) => {
      const of = { attachment_id: attachment.post.id };
      const names = (await trx('renditions').where(of).pluck('name')) as string[];
      const queueKeys = (await trx('rendition_queue').where(of).orderBy('key').pluck('key')) as string[];
      report({ folders: { sources: names.filter((name) => name !== 'poster').length } });
      report({ poster: names.includes('poster'), queueKeys });
    }),
    on('attachment.replaced', async ({ before, after, dropDerived, dropped }, { trx }) => {
      if (before.sha256 === null || after.post.id !== before.post.id) throw new Error('Not what it was.');
      if (!dropDerived) return;
      const of = { attachment_id: after.post.id };
      dropped(
        await trx('renditions')
          .where({ ...of, of_sha256: before.sha256 })
          .delete(),
      );
      await trx('rendition_queue').where(of).delete();
      if (after.filename === 'refused.wav') throw new Error('As asked.');
    }),
  ],
});
