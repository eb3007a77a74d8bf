import { defineOperation, idText, yup } from '@lyceum/core';
import { findVideo, videoErrors } from '../find-media.ts';
import { presentStills, StillRecord } from '../still-record.ts';

export const listStills = defineOperation({
  id: 'media_converter.list-stills',
  method: 'GET',
  path: 'svc/media-converter/v1/attachments/{id}/frame-miniatures',
  summary: 'Stills of a film, by time',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: yup.array().of(StillRecord.required()).required(),
  errors: [...videoErrors],
  handle: async ({ params }, call) => presentStills(call, await findVideo(call, params.id)),
});
