import type { Knex } from 'knex';
import type { TextTrack, TrackColumns } from './text-track.ts';

const columns = (
  't.id t.index t.kind t.srclang t.label t.is_default t.artifact_id t.cues t.duration t.created_at t.updated_at ' +
  'r.name r.bytes r.place'
).split(' ');

const path = `'artifacts/' || a.post_id || '-' || a.artifact_token || '/' || r.folder || '/' || r.name`;

/** Reads and writes the rows of text tracks. */
export class TextTrackStore {
  /** By index. */
  async list(sql: Knex, blogId: number, attachmentId: number): Promise<TextTrack[]> {
    return (await sql('media_tracks as t')
      .join('playback_artifacts as r', 'r.id', 't.artifact_id')
      .join('attachments as a', 'a.post_id', 't.attachment_id')
      .where({ 't.blog_id': blogId, 't.attachment_id': attachmentId })
      .orderBy('t.index')
      .select([...columns, sql.raw(`${path} as path`)])) as TextTrack[];
  }

  async insert(
    trx: Knex.Transaction,
    owner: { readonly blog_id: number; readonly attachment_id: number },
    track: TrackColumns & { readonly index: number },
    now: Date,
  ): Promise<void> {
    await trx('media_tracks').insert({ ...owner, ...track, created_at: now, updated_at: now });
  }

  async update(trx: Knex.Transaction, id: number, track: TrackColumns, now: Date): Promise<void> {
    await trx('media_tracks')
      .where('id', id)
      .update({ ...track, updated_at: now });
  }

  /** The lowest index that the attachment never gave. */
  async nextIndex(trx: Knex.Transaction, blogId: number, attachmentId: number): Promise<number> {
    const { rows } = (await trx.raw(
      `update attachments set next_track_index = 1 + greatest(next_track_index,
           coalesce((select max(index) + 1 from media_tracks where attachment_id = :attachmentId), 0))
         where blog_id = :blogId and post_id = :attachmentId returning next_track_index - 1 as index`,
      { blogId, attachmentId },
    )) as { rows: { index: number }[] };
    return rows[0]?.index ?? 0;
  }

  /** How often the list was written. */
  async revision(sql: Knex, blogId: number, attachmentId: number): Promise<number> {
    const query = sql('attachments').where({ blog_id: blogId, post_id: attachmentId });
    const row = (await query.first('track_revision')) as { track_revision: number } | undefined;
    return row?.track_revision ?? 0;
  }

  async countWrite(trx: Knex.Transaction, blogId: number, attachmentId: number): Promise<void> {
    const query = trx('attachments').where({ blog_id: blogId, post_id: attachmentId });
    await query.increment('track_revision', 1);
  }
}
