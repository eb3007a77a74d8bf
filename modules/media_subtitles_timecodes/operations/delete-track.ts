import {
  Database,
  defineOperation,
  fail,
  PlaybackArtifacts,
  TextTrackStore,
  TextTracks,
  yup,
} from '@lyceum/core';
import { attachmentErrors, findEditable, lockEditable, readIndex, trackParams } from '../find-attachment.ts';
import { recordTracks } from '../record-tracks.ts';

export const deleteTrack = defineOperation({
  id: 'media_subtitles_timecodes.delete-track',
  method: 'DELETE',
  path: 'svc/media-subtitles-timecodes/v1/attachments/{id}/tracks/{index}',
  summary: 'Delete a text track and its file; no other one takes its place or its index',
  access: { can: 'edit_posts' },
  contract: true,
  site: 'selectable',
  input: { params: trackParams() },
  output: yup.object({ deleted: yup.boolean().required(), index: yup.number().integer().required() }),
  errors: [...attachmentErrors, 'track_not_found'],
  handle: async ({ params }, call) => {
    const index = readIndex(params.index);
    const { post } = await findEditable(call, params.id);
    const { blog_id } = call.site;
    await call.get(Database).transaction(async (trx) => {
      await lockEditable(trx, call, post.id);
      const tracks = await call.get(TextTracks).list(blog_id, post.id, trx);
      const track = tracks.find((one) => one.index === index) ?? fail('track_not_found');
      // The row goes with the file.
      await call.get(PlaybackArtifacts).drop(trx, blog_id, post.id, { ids: [track.artifact_id] });
      await call.get(TextTrackStore).countWrite(trx, blog_id, post.id);
      await recordTracks(trx, call, post.id, { from: [track], to: [] });
    });
    return { deleted: true, index };
  },
});
