import {
  type Call,
  Database,
  defineOperation,
  fail,
  list,
  longestTag,
  reply,
  type TextTrack,
  TextTracks,
  trackKinds,
  word,
  yup,
} from '@lyceum/core';
import { attachmentErrors, attachmentParams, findReadable } from '../find-attachment.ts';
import { listEtag, presentCues, presentTrack } from '../present-track.ts';
import { checkedTag } from '../track-fields.ts';
import { TrackList } from '../track-record.ts';

async function withCues(call: Call, track: TextTrack) {
  const cues = await call.get(TextTracks).cues(call.site.blog_id, track);
  return { ...presentTrack(call, track), items: presentCues(cues ?? fail('storage_unavailable')) };
}

export const listTracks = defineOperation({
  id: 'media_subtitles_timecodes.list-tracks',
  method: 'GET',
  path: 'svc/media-subtitles-timecodes/v1/attachments/{id}/tracks',
  summary: 'The text tracks of a video or sound, by index',
  description: 'The ETag is that of the whole list, for `If-Match` of writers, whatever is filtered.',
  access: { can: 'read' },
  contract: true,
  site: 'selectable',
  input: {
    params: attachmentParams(),
    query: yup.object({
      kind: list(word(...trackKinds).required(), trackKinds.length),
      srclang: yup.string().max(longestTag),
      include: list(word('cues').required(), 1),
    }),
  },
  output: TrackList,
  errors: [...attachmentErrors, 'storage_unavailable'],
  handle: async ({ params, query }, call) => {
    const srclang = checkedTag(query.srclang, 'srclang');
    const { post } = await findReadable(call, params.id);
    const texts = call.get(TextTracks);
    // One moment: a list beside the number of another one would let a writer believe that nobody was there.
    const { tracks, revision } = await call.get(Database).knex.transaction(
      async (trx) => ({
        tracks: await texts.list(call.site.blog_id, post.id, trx),
        revision: await texts.revision(call.site.blog_id, post.id, trx),
      }),
      { isolationLevel: 'repeatable read', readOnly: true },
    );
    const shown = tracks.filter(
      (track) =>
        (query.kind === undefined || query.kind.includes(track.kind)) &&
        (srclang === undefined || track.srclang === srclang),
    );
    const wantsCues = query.include?.includes('cues') ?? false;
    const items = wantsCues
      ? await Promise.all(shown.map((track) => withCues(call, track)))
      : shown.map((track) => presentTrack(call, track));
    return reply(items, { headers: { ETag: listEtag(revision, tracks) } });
  },
});
