import { defineMigration, defineModule, type MetaDeclaration, on, yup } from '@lyceum/core';

const createBindings = defineMigration({
  id: '001-cards',
  up: async (trx) => {
    await trx.raw(`
      create table test_card_bindings (card_id integer primary key, blog_id integer not null, name text not null);
      create unique index test_card_serial on posts (blog_id, (meta -> 'serial'))
        where type = 'test_card' and status <> 'trash';
    `);
  },
});

const onCards = { on: 'post', of: ['test_card'], schema: yup.mixed() } as const;

const meta: readonly MetaDeclaration[] = [
  { ...onCards, key: 'serial', unique: { index: 'test_card_serial', code: 'card_serial_exists' } },
  { ...onCards, key: 'temporary', copy: false },
  { ...onCards, key: 'linked', refs: 'post' },
  { ...onCards, key: 'picture', refs: 'attachment' },
  { ...onCards, key: 'label', refs: 'term' },
  { ...onCards, key: 'keeper', refs: 'user' },
  { ...onCards, key: 'markup' },
];

/** A module with records that have meta of every kind, and something beside them that goes along with a copy. */
export default defineModule({
  id: 'test_cards',
  title: 'Cards',
  defaultEnabled: true,
  errors: { card_serial_exists: { status: 409, message: 'Another card has this serial.' } },
  errorsElsewhere: { 'host.create-post': ['card_serial_exists'], 'host.change-post': ['card_serial_exists'] },
  postTypes: [
    { id: 'test_card', title: 'Card', capabilities: 'page', hierarchical: true, duplicable: true },
    { id: 'test_stone', title: 'Stone', capabilities: 'page', hierarchical: false, duplicable: false },
  ],
  taxonomies: [
    { id: 'test_color', title: 'Color', scope: 'site', hierarchical: true, namesMayRepeat: false },
  ],
  meta,
  tables: { test_card_bindings: { copy: 'none' } },
  migrations: [createBindings],
  listeners: [
    on('post.copied', async ({ source, post }, { trx }) => {
      if (source.blog_id !== post.blog_id) return;
      const binding = await trx('test_card_bindings').where({ card_id: source.id }).first('name');
      if (binding)
        await trx('test_card_bindings').insert({ ...binding, card_id: post.id, blog_id: post.blog_id });
    }),
  ],
});
