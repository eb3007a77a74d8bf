import { readFile } from 'node:fs/promises';
import { created, defineOperation, existing, fail, maxId, word, yup } from '@lyceum/core';
import { attachmentErrors, attachmentParams, findEditable } from '../find-attachment.ts';
import { tagInName } from '../language.ts';
import { presentTrack } from '../present-track.ts';
import { mostTrackBytes } from '../settings.ts';
import { decodeText, encodings } from '../text/decode-text.ts';
import { formats } from '../text/parse-content.ts';
import { describing } from '../track-fields.ts';
import { TrackRecord } from '../track-record.ts';
import { trackUrl } from '../track-url.ts';
import { writeErrors, writeTracks } from '../write-tracks.ts';

export const uploadTrack = defineOperation({
  id: 'media_subtitles_timecodes.upload-track',
  method: 'POST',
  path: 'svc/media-subtitles-timecodes/v1/attachments/{id}/tracks/upload',
  summary: 'Add a text track as a file, or give one another file',
  description:
    'The content decides what it is, not the name. Without `srclang` a name such as `lecture.pt-BR.srt` gives the ' +
    'language of a new track. Without byte order mark and `encoding` the file is UTF-8.',
  access: { can: 'edit_posts' },
  contract: true,
  site: 'selectable',
  multipart: { file: 'file', maxBytes: mostTrackBytes },
  input: {
    params: attachmentParams(),
    body: yup.object({
      ...describing,
      format: word(...formats),
      encoding: word(...encodings),
      index: yup.number().integer().min(0).max(maxId),
    }),
  },
  success: 201,
  output: TrackRecord,
  errors: [...attachmentErrors, ...writeErrors, 'invalid_encoding', 'track_not_found'],
  example: { body: { kind: 'subtitles', srclang: 'ru', encoding: 'windows-1251' } },
  handle: async ({ params, body, file }, call) => {
    if (file === null) throw new Error('A multipart operation got no file.');
    const attachment = await findEditable(call, params.id);
    if (file.bytes > call.setting<number>('max_track_bytes')) fail('rest_body_too_large');
    const { encoding, index = null, ...described } = body;
    const content = decodeText(await readFile(file.path), encoding) ?? fail('invalid_encoding');
    const named = index === null ? (tagInName(file.name) ?? undefined) : undefined;
    const input = { ...described, srclang: described.srclang ?? named, content };
    const { tracks, indexes } = await writeTracks(call, attachment, {
      wishes: [{ index, input, at: '' }],
      isWhole: false,
      unknownIndex: () => fail('track_not_found'),
    });
    const track = tracks.find((one) => one.index === indexes[0]) ?? fail('track_not_found');
    const shown = presentTrack(call, track);
    return index === null ? created(shown, trackUrl(call, attachment.post.id)) : existing(shown);
  },
});
