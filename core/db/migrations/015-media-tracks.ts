import { defineMigration } from '../../api/module.ts';

/** Text tracks of films and sounds; the file of each is an artifact, and goes with it. */
export const createMediaTracks = defineMigration({
  id: '015-media-tracks',
  up: async (trx) => {
    await trx.raw(`
      alter table attachments
        add column next_track_index integer not null default 0,
        -- rises with every write of the list, so that a writer sees that another was there
        add column track_revision integer not null default 0;
      create table media_tracks (
        id integer generated always as identity primary key,
        blog_id integer not null,
        attachment_id integer not null references attachments on delete cascade,
        index integer not null,
        kind text not null check (kind in ('subtitles', 'captions', 'descriptions', 'chapters', 'metadata')),
        srclang text not null,
        label text not null,
        is_default boolean not null,
        artifact_id integer not null references playback_artifacts on delete cascade,
        cues integer not null,
        duration double precision not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        -- two tracks may change places within a transaction
        constraint media_tracks_identity unique (attachment_id, kind, srclang, label)
          deferrable initially deferred
      );
      create unique index media_tracks_index on media_tracks (attachment_id, index);
      create unique index media_tracks_artifact on media_tracks (artifact_id);
      create index media_tracks_site on media_tracks (blog_id, attachment_id);
    `);
  },
});
