import {
  accepted,
  artifactFolders,
  defineOperation,
  fail,
  idText,
  PlaybackArtifacts,
  word,
  yup,
} from '@lyceum/core';
import { enqueue } from '../enqueue.ts';
import { findVideo, videoErrors } from '../find-media.ts';
import { jobTypes } from '../queue/entry.ts';
import { Enqueued } from '../queue/entry-record.ts';

export const packArtifacts = defineOperation({
  id: 'media_converter.pack-artifacts',
  method: 'POST',
  path: 'svc/media-converter/v1/attachments/{id}/artifacts/pack',
  summary: 'Pack files of a film into a zip, which can be fetched for a day',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({
      folders: yup
        .array()
        .of(word(...artifactFolders).required())
        .min(1)
        .max(artifactFolders.length),
    }),
  },
  success: 202,
  output: Enqueued,
  errors: [...videoErrors, 'nothing_to_pack', 'format_already_queued'],
  example: { body: { folders: ['sources', 'subtitles'] } },
  handle: async ({ params, body }, call) => {
    const attachment = await findVideo(call, params.id);
    const folders = [...new Set(body.folders ?? artifactFolders)];
    const { id, blog_id } = attachment.post;
    const wanted = [{ format: 'pack', options: { folders } }];
    return accepted(
      await enqueue(call, attachment, jobTypes.pack, wanted, async (trx) => {
        const all = await call.get(PlaybackArtifacts).list(blog_id, id, {}, trx);
        if (!all.some(({ folder }) => folders.includes(folder))) fail('nothing_to_pack');
      }),
    );
  },
});
