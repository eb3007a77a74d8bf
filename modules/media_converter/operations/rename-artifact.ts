import {
  audit,
  Database,
  defineOperation,
  fail,
  idText,
  invalidParams,
  PlaybackArtifacts,
  treeEntry,
  yup,
} from '@lyceum/core';
import { ArtifactsRecord, presentArtifacts } from '../artifacts-record.ts';
import { extensionOf, folderNamed, followSheet, nameIn, refuseBusy } from '../change-artifacts.ts';
import { findVideo, videoErrors } from '../find-media.ts';

export const renameArtifact = defineOperation({
  id: 'media_converter.rename-artifact',
  method: 'PATCH',
  path: 'svc/media-converter/v1/attachments/{id}/artifacts/{folder}',
  summary: 'Give a file of a film another name; what refers to it follows',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ id: idText(), folder: yup.string().required() }),
    body: yup.object({
      name: yup.string().max(300).required(),
      new_name: yup
        .string()
        .matches(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,149}$/)
        .required(),
    }),
  },
  output: ArtifactsRecord,
  errors: [...videoErrors, 'folder_not_found', 'artifact_not_found', 'artifact_exists', 'artifact_busy'],
  example: { body: { name: 'lesson-mp4_720-0a1b2c3d.mp4', new_name: 'lesson.mp4' } },
  handle: async ({ params, body }, call) => {
    const film = await findVideo(call, params.id);
    const folder = folderNamed(params.folder);
    const { name, new_name } = body;
    if (extensionOf(name) !== extensionOf(new_name)) invalidParams({ new_name: 'must keep the extension' });
    const artifacts = call.get(PlaybackArtifacts);
    const { id, blog_id } = film.post;
    return call.get(Database).transaction(async (trx) => {
      if (!(await artifacts.lock(trx, blog_id, id))) fail('attachment_not_found');
      const found = await artifacts.list(blog_id, id, { folder, names: [nameIn(name)] }, trx);
      const artifact = found[0] ?? fail('artifact_not_found');
      await refuseBusy(call, trx, film, folder);
      const bare = artifact.tree ? new_name.replace(/\.m3u8$/, '') : new_name;
      if (bare === '' || !(await artifacts.rename(trx, artifact, bare))) fail('artifact_exists');
      await followSheet(call, trx, film, artifact, bare);
      const subject = `attachment:${id}`;
      const to = artifact.tree ? `${bare}/${treeEntry}` : bare;
      const from = { folder, name: artifact.name };
      const action = 'media_converter.artifact_rename';
      await audit(trx, call, { module: 'media_converter', action, subject, from, to: { folder, name: to } });
      return presentArtifacts(call, film, trx);
    });
  },
});
