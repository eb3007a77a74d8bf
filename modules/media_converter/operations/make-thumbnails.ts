import { accepted, defineOperation, idText, yup } from '@lyceum/core';
import { enqueue, nothingElse } from '../enqueue.ts';
import { findVideo, videoErrors } from '../find-media.ts';
import { jobTypes } from '../queue/entry.ts';
import { Enqueued } from '../queue/entry-record.ts';

export const makeThumbnails = defineOperation({
  id: 'media_converter.make-thumbnails',
  method: 'POST',
  path: 'svc/media-converter/v1/attachments/{id}/thumbnails',
  summary: 'Make the pictures for the seek bar of a film: sheets of tiles, and a WebVTT that names them',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({
      interval_seconds: yup.number().integer().min(1).max(60),
      tile_width: yup.number().integer().min(64).max(480),
      columns: yup.number().integer().min(1).max(20).default(10),
    }),
  },
  success: 202,
  output: Enqueued,
  errors: [...videoErrors, 'format_already_queued'],
  example: { body: { interval_seconds: 5 } },
  handle: async ({ params, body }, call) => {
    const attachment = await findVideo(call, params.id);
    const options = {
      interval_seconds: body.interval_seconds ?? call.setting<number>('thumbnail_interval_seconds'),
      tile_width: body.tile_width ?? call.setting<number>('thumbnail_width'),
      columns: body.columns,
    };
    const wanted = [{ format: 'thumbnails', options }];
    return accepted(await enqueue(call, attachment, jobTypes.thumbnails, wanted, nothingElse));
  },
});
