import { defineOperation, idText, yup } from '@lyceum/core';
import { ArtifactsRecord, presentArtifacts } from '../artifacts-record.ts';
import { findVideo, videoErrors } from '../find-media.ts';

export const listArtifacts = defineOperation({
  id: 'media_converter.list-artifacts',
  method: 'GET',
  path: 'svc/media-converter/v1/attachments/{id}/artifacts',
  summary: 'All files that players are given for a film, by folder',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: ArtifactsRecord,
  errors: [...videoErrors],
  handle: async ({ params }, call) => presentArtifacts(call, await findVideo(call, params.id)),
});
