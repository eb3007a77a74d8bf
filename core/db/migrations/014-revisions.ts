import { defineMigration } from '../../api/module.ts';

/**
 * States of documents that sync clients wrote, or wrote over. And the editor of each post beside its document: a list
 * of a thousand posts must not unpack a thousand documents to name it.
 */
export const createRevisions = defineMigration({
  id: '014-revisions',
  up: async (trx) => {
    await trx.raw(`
      alter table posts add column editor text not null generated always as (
        case when meta ->> 'editor' in ('pagebuilder', 'turbo') then meta ->> 'editor' else 'block' end
      ) stored;
      create table post_revisions (
        revision_id integer generated always as identity primary key,
        blog_id integer not null references sites,
        post_id integer not null references posts on delete cascade,
        editor text not null check (editor in ('block', 'pagebuilder', 'turbo')),
        title text not null,
        content text not null,
        bytes integer not null,
        hash text not null,
        user_id integer references users on delete set null,
        source text not null check (source in ('host', 'studio', 'local')),
        connection_id uuid,
        created_at timestamptz(3) not null default clock_timestamp()
      );
      create index post_revisions_post on post_revisions (post_id, revision_id);
      create index post_revisions_site on post_revisions (blog_id);
      create index post_revisions_user on post_revisions (user_id) where user_id is not null;
    `);
  },
});
