import { defineOperation, invalidParams, maxId, reply, yup } from '@lyceum/core';
import { attachmentErrors, attachmentParams, findEditable } from '../find-attachment.ts';
import type { Wish } from '../prepare-track.ts';
import { presentTrack } from '../present-track.ts';
import { contentForm, needContent, type TrackInput, trackFields } from '../track-fields.ts';
import { TrackList } from '../track-record.ts';
import { writeErrors, writeTracks } from '../write-tracks.ts';

/** More are refused by the setting, in its own words. */
const mostItems = 1_000;

type Item = TrackInput & { readonly index?: number | undefined };

function wishesOf(items: readonly Item[]): Wish[] {
  const named = new Set<number>();
  return items.map((input, place) => {
    const at = `tracks[${place}].`;
    if (input.index === undefined) {
      needContent(input, at);
      return { index: null, input, at };
    }
    contentForm(input, at);
    if (named.has(input.index)) invalidParams({ [`${at}index`]: 'must not be named twice' });
    named.add(input.index);
    return { index: input.index, input, at };
  });
}

export const replaceTracks = defineOperation({
  id: 'media_subtitles_timecodes.replace-tracks',
  method: 'PUT',
  path: 'svc/media-subtitles-timecodes/v1/attachments/{id}/tracks',
  summary: 'Replace the list: tracks named by index are changed, those without one added, all others deleted',
  access: { can: 'edit_posts' },
  contract: true,
  site: 'selectable',
  input: {
    params: attachmentParams(),
    body: yup.object({
      tracks: yup
        .array()
        .of(yup.object({ index: yup.number().integer().min(0).max(maxId), ...trackFields }))
        .max(mostItems)
        .required(),
    }),
  },
  output: TrackList,
  errors: [...attachmentErrors, ...writeErrors],
  example: {
    body: { tracks: [{ index: 1 }, { kind: 'chapters', timecodes: [{ time: 0, title: 'Introduction' }] }] },
  },
  handle: async ({ params, body }, call) => {
    const wishes = wishesOf(body.tracks);
    const attachment = await findEditable(call, params.id);
    const { tracks, etag } = await writeTracks(call, attachment, {
      wishes,
      isWhole: true,
      unknownIndex: ({ at }) => invalidParams({ [`${at}index`]: 'must be the index of a track' }),
    });
    return reply(
      tracks.map((track) => presentTrack(call, track)),
      { headers: { ETag: etag } },
    );
  },
});
