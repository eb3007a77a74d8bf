import { Database, defineOperation, fail, idText, PlaybackArtifacts, yup } from '@lyceum/core';
import { findVideo, videoErrors } from '../find-media.ts';

export const deleteStills = defineOperation({
  id: 'media_converter.delete-stills',
  method: 'DELETE',
  path: 'svc/media-converter/v1/attachments/{id}/frame-miniatures',
  summary: 'Delete a still of a film, or all of them',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ id: idText() }),
    query: yup.object({ name: yup.string().max(300) }),
  },
  output: yup.object({
    deleted: yup.number().integer().required(),
    attachment_id: yup.number().integer().required(),
  }),
  errors: [...videoErrors, 'artifact_not_found'],
  handle: async ({ params, query }, call) => {
    const { post } = await findVideo(call, params.id);
    const filter = { folder: 'stills', names: query.name === undefined ? undefined : [query.name] } as const;
    const gone = await call
      .get(Database)
      .transaction((trx) => call.get(PlaybackArtifacts).drop(trx, post.blog_id, post.id, filter));
    if (query.name !== undefined && gone.length === 0) fail('artifact_not_found');
    return { deleted: gone.length, attachment_id: post.id };
  },
});
