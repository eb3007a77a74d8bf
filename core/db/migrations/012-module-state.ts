import { defineMigration } from '../../api/module.ts';

/** What the installation knows of a module beside its package: crashes, what ran, which sites it has met. */
export const createModuleState = defineMigration({
  id: '012-module-state',
  up: async (trx) => {
    await trx.raw(`
      create table module_state (
        id text primary key,
        -- of the package that migrated last, and its last step
        version text not null default '',
        migrated_to text,
        -- has been ready to serve; false where only its crashes are known
        ready boolean not null default false,
        -- {code, message, at}: off in the whole installation, until somebody switches it on
        error jsonb
      );
      create table module_crashes (
        id bigint generated always as identity primary key,
        module text not null,
        place text not null,
        at timestamptz(3) not null default now()
      );
      create index module_crashes_module on module_crashes (module, at);
      create table module_sites (
        module text not null,
        blog_id integer not null references sites,
        met_at timestamptz(3) not null default now(),
        primary key (module, blog_id)
      );
      -- what migrations of modules made
      create table module_tables (
        name text primary key,
        module text not null
      );
      create index module_sites_site on module_sites (blog_id);
    `);
  },
});
