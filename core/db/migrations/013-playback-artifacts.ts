import { defineMigration } from '../../api/module.ts';

/** What players are given beside an attachment's own file: encoded sources, text tracks, thumbnails, stills. */
export const createPlaybackArtifacts = defineMigration({
  id: '013-playback-artifacts',
  up: async (trx) => {
    await trx.raw(`
      alter table attachments
        add column media_info jsonb,
        -- part of the address of all artifacts of the attachment; a copied row gets one of its own
        add column artifact_token text not null
          default md5(gen_random_uuid()::text || gen_random_uuid()::text);
      create table playback_artifacts (
        id integer generated always as identity primary key,
        blog_id integer not null,
        attachment_id integer not null references attachments on delete cascade,
        folder text not null check (folder in ('sources', 'subtitles', 'chapters', 'thumbnails', 'stills')),
        name text not null,
        -- folder below the site's artifacts in the storage; new for every content
        place text not null,
        -- many files below one place, of which the name is the first
        tree boolean not null,
        bytes bigint not null,
        mime_type text not null,
        format_key text,
        -- the name holds a hash of the content: nothing else will ever lie there
        hashed boolean not null default true,
        meta jsonb not null default '{}',
        created_at timestamptz(3) not null default now()
      );
      create unique index playback_artifacts_name on playback_artifacts (attachment_id, folder, name);
      create unique index playback_artifacts_format on playback_artifacts (attachment_id, format_key)
        where format_key is not null;
      create index playback_artifacts_site on playback_artifacts (blog_id, attachment_id);
      create table artifact_remains (
        blog_id integer not null,
        place text not null,
        attachment_id integer not null,
        -- where it is served until it goes; null when it is not
        folder text,
        name text,
        tree boolean not null,
        bytes bigint not null,
        mime_type text not null,
        hashed boolean not null,
        created_at timestamptz(3) not null,
        remove_after timestamptz(3) not null,
        primary key (blog_id, place)
      );
      create index artifact_remains_due on artifact_remains (remove_after);
      create index artifact_remains_served on artifact_remains (attachment_id, folder) where folder is not null;
    `);
  },
});
