import { audit, Database, defineOperation, fail, idText, PlaybackArtifacts, yup } from '@lyceum/core';
import { folderNamed, nameIn, refuseBusy } from '../change-artifacts.ts';
import { findVideo, videoErrors } from '../find-media.ts';

export const deleteArtifacts = defineOperation({
  id: 'media_converter.delete-artifacts',
  method: 'DELETE',
  path: 'svc/media-converter/v1/attachments/{id}/artifacts/{folder}',
  summary: 'Delete a file of a film, or all of a folder',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ id: idText(), folder: yup.string().required() }),
    query: yup.object({ name: yup.string().max(300) }),
  },
  output: yup.object({
    deleted: yup.number().integer().required(),
    attachment_id: yup.number().integer().required(),
    folder: yup.string().required(),
  }),
  errors: [...videoErrors, 'folder_not_found', 'artifact_not_found', 'artifact_busy'],
  handle: async ({ params, query }, call) => {
    const film = await findVideo(call, params.id);
    const folder = folderNamed(params.folder);
    const { id, blog_id } = film.post;
    return call.get(Database).transaction(async (trx) => {
      if (!(await call.get(PlaybackArtifacts).lock(trx, blog_id, id))) fail('attachment_not_found');
      await refuseBusy(call, trx, film, folder);
      const names = query.name === undefined ? undefined : [nameIn(query.name)];
      const gone = await call.get(PlaybackArtifacts).drop(trx, blog_id, id, { folder, names });
      if (names && gone.length === 0) fail('artifact_not_found');
      if (gone.length > 0) {
        const from = { folder, names: gone.map(({ name }) => name) };
        const [action, subject] = ['media_converter.artifact_delete', `attachment:${id}`];
        await audit(trx, call, { module: 'media_converter', action, subject, from });
      }
      return { deleted: gone.length, attachment_id: id, folder };
    });
  },
});
