import { created, defineOperation, fail, yup } from '@lyceum/core';
import { attachmentErrors, attachmentParams, findEditable } from '../find-attachment.ts';
import { presentTrack } from '../present-track.ts';
import { needContent, trackFields } from '../track-fields.ts';
import { TrackRecord } from '../track-record.ts';
import { trackUrl } from '../track-url.ts';
import { writeErrors, writeTracks } from '../write-tracks.ts';

export const addTrack = defineOperation({
  id: 'media_subtitles_timecodes.add-track',
  method: 'POST',
  path: 'svc/media-subtitles-timecodes/v1/attachments/{id}/tracks',
  summary: 'Add a text track, written as WebVTT, SRT or timecodes, or cue by cue',
  access: { can: 'edit_posts' },
  contract: true,
  site: 'selectable',
  input: { params: attachmentParams(), body: yup.object(trackFields) },
  success: 201,
  output: TrackRecord,
  errors: [...attachmentErrors, ...writeErrors],
  example: {
    body: { kind: 'subtitles', srclang: 'en', content: '1\n00:00:01,500 --> 00:00:03,000\nWelcome!' },
  },
  handle: async ({ params, body }, call) => {
    needContent(body, '');
    const attachment = await findEditable(call, params.id);
    const { tracks, indexes } = await writeTracks(call, attachment, {
      wishes: [{ index: null, input: body, at: '' }],
      isWhole: false,
      unknownIndex: () => fail('track_not_found'),
    });
    const track = tracks.find(({ index }) => index === indexes[0]) ?? fail('track_not_found');
    return created(presentTrack(call, track), trackUrl(call, attachment.post.id));
  },
});
