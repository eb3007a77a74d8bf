import { defineOperation, fail, yup } from '@lyceum/core';
import { attachmentErrors, findEditable, readIndex, trackParams } from '../find-attachment.ts';
import { presentTrack } from '../present-track.ts';
import { contentForm, trackFields } from '../track-fields.ts';
import { TrackRecord } from '../track-record.ts';
import { readTracks, writeErrors, writeTracks } from '../write-tracks.ts';

export const changeTrack = defineOperation({
  id: 'media_subtitles_timecodes.change-track',
  method: 'PATCH',
  path: 'svc/media-subtitles-timecodes/v1/attachments/{id}/tracks/{index}',
  summary: 'Change the given fields of a text track, its content among them',
  access: { can: 'edit_posts' },
  contract: true,
  site: 'selectable',
  input: { params: trackParams(), body: yup.object(trackFields) },
  output: TrackRecord,
  errors: [...attachmentErrors, ...writeErrors, 'track_not_found'],
  example: { body: { label: 'English for the hard of hearing', kind: 'captions', default: true } },
  handle: async ({ params, body }, call) => {
    const index = readIndex(params.index);
    contentForm(body, '');
    const attachment = await findEditable(call, params.id);
    const isEmpty = Object.values(body).every((value) => value === undefined);
    const { tracks } = isEmpty
      ? await readTracks(call, attachment.post.id)
      : await writeTracks(call, attachment, {
          wishes: [{ index, input: body, at: '' }],
          isWhole: false,
          unknownIndex: () => fail('track_not_found'),
        });
    const track = tracks.find((one) => one.index === index) ?? fail('track_not_found');
    return presentTrack(call, track);
  },
});
