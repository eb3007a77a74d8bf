import {
  type ActiveFormat,
  ActiveFormats,
  type Artifact,
  type Attachment,
  Attachments,
  type Call,
  Database,
  fail,
  mayReadAttachment,
  PlaybackArtifacts,
  type TextTrack,
  TextTracks,
} from '@lyceum/core';

/** All that is stored of an attachment, as it was at one moment. */
export interface Playback {
  readonly attachment: Attachment;
  readonly artifacts: readonly Artifact[];
  readonly tracks: readonly TextTrack[];
  readonly processing: readonly ActiveFormat[];
}

/**
 * Reads it in one transaction.
 * @throws `attachment_not_found`, `rest_forbidden`, `not_media_attachment`
 */
export function readPlayback(call: Call, id: number): Promise<Playback> {
  const { blog_id } = call.site;
  return call.get(Database).knex.transaction(
    async (trx) => {
      const attachment = await call.get(Attachments).find(blog_id, id, trx);
      if (!attachment || attachment.post.status === 'trash') return fail('attachment_not_found');
      if (!mayReadAttachment(call, attachment.post)) return fail('rest_forbidden');
      if (!/^(?:video|audio)\//.test(attachment.mime_type)) return fail('not_media_attachment');
      return {
        attachment,
        artifacts: await call.get(PlaybackArtifacts).list(blog_id, id, {}, trx),
        tracks: await call.get(TextTracks).list(blog_id, id, trx),
        processing: await call.get(ActiveFormats).list(trx, blog_id, id),
      };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
