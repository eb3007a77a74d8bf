import { defineOperation, FileLinks, id, idText, invalidParams, PlaybackArtifacts, yup } from '@lyceum/core';
import { choosePoster } from '../choose-poster.ts';
import { findVideo, infoOf, videoErrors } from '../find-media.ts';

export const PosterAnswer = yup.object({
  attachment_id: yup.number().integer().required(),
  poster: yup.string().defined(),
});

export const setPoster = defineOperation({
  id: 'media_converter.set-poster',
  method: 'PATCH',
  path: 'svc/media-converter/v1/attachments/{id}/thumbnails/poster',
  summary: 'Choose the poster of a film: the picture at a time, a still, or an image of the site',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({ time: yup.number().min(0), name: yup.string().max(300), attachment_id: id() }),
  },
  output: PosterAnswer,
  errors: [
    ...videoErrors,
    'artifact_not_found',
    'encode_failed',
    'encode_timeout',
    'disk_full',
    'storage_unavailable',
  ],
  timeoutMs: 120_000,
  example: { body: { time: 12.5 } },
  handle: async ({ params, body }, call) => {
    const given = [body.time, body.name, body.attachment_id].filter((value) => value !== undefined);
    if (given.length !== 1)
      invalidParams({ time: 'must be given, or name, or attachment_id, and only one of them' });
    const film = await findVideo(call, params.id);
    const info = await infoOf(call, film);
    if (body.time !== undefined && body.time >= (info?.duration ?? 0)) {
      invalidParams({ time: 'must lie before the end of the film' });
    }
    const poster = await choosePoster(call, film, body);
    return { attachment_id: film.post.id, poster: call.get(FileLinks).plain(call.site, poster.path) };
  },
});

/** A film without a poster stays as it is. */
export const deletePoster = defineOperation({
  id: 'media_converter.delete-poster',
  method: 'DELETE',
  path: 'svc/media-converter/v1/attachments/{id}/thumbnails/poster',
  summary: 'Take the poster of a film away',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: PosterAnswer,
  errors: [...videoErrors],
  handle: async ({ params }, call) => {
    const { post } = await findVideo(call, params.id);
    await call.get(PlaybackArtifacts).dropNow(post.blog_id, post.id, { formatKeys: ['poster'] });
    return { attachment_id: post.id, poster: '' };
  },
});
