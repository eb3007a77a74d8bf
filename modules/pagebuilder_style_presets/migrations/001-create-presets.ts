import { defineMigration } from '@lyceum/core';

/**
 * `name_key` is the name by which presets are compared and sorted, made by us: what a database takes for the lower
 * case of a letter depends on its locale. There is no hash: a copy of a site has other addresses in its settings.
 */
export const createPresets = defineMigration({
  id: '001-create-presets',
  up: async (trx) => {
    await trx.raw(`
      create table style_presets (
        id integer generated always as identity primary key,
        blog_id integer not null,
        name text not null,
        name_key text not null,
        slug text not null,
        element_type text not null,
        settings jsonb not null,
        is_default boolean not null,
        status text not null check (status in ('publish', 'trash')),
        author_id integer references users on delete set null,
        created_at timestamptz(3) not null,
        modified_at timestamptz(3) not null,
        check (status = 'publish' or not is_default)
      );
      create unique index style_presets_name on style_presets (blog_id, element_type, name_key)
        where status = 'publish';
      create unique index style_presets_default on style_presets (blog_id, element_type) where is_default;
      create unique index style_presets_slug on style_presets (blog_id, slug);
      create index style_presets_list on style_presets (blog_id, status, element_type, name_key, id);
      create index style_presets_names on style_presets (blog_id, status, name_key, id);
      create index style_presets_author on style_presets (author_id);
    `);
  },
});
