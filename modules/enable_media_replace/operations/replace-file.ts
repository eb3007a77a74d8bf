import { Attachments, defineOperation, idText, time, word, yup } from '@lyceum/core';
import { findEditable } from '../find-attachment.ts';
import { Replacement } from '../replacement.ts';
import { replaceTypes } from '../settings.ts';
import { longestUpload } from '../upload-limit.ts';
import { ReferencesRecord } from './references-record.ts';
import { ReplaceFields, wishOf } from './replace-fields.ts';

const Answer = yup.object({
  success: yup.boolean().required(),
  attachment_id: yup.number().integer().required(),
  replace_type: word(...replaceTypes).required(),
  url: yup.string().required(),
  previous_url: yup.string().defined(),
  filename: yup.string().required(),
  mime_type: yup.string().required(),
  bytes: yup.number().integer().required(),
  width: yup.number().integer().defined().nullable(),
  height: yup.number().integer().defined().nullable(),
  duration: yup.number().defined().nullable(),
  created_at: time().required(),
  modified_at: time().required(),
  references_updated: ReferencesRecord,
  artifacts_removed: yup.number().integer().required(),
});

export const replaceFile = defineOperation({
  id: 'enable_media_replace.replace-file',
  method: 'POST',
  path: 'svc/enable-media-replace/v1/attachments/{id}/replace',
  summary: 'Put another file behind an attachment',
  description:
    'With replace name and address stay, and the type must be the same. With replace_and_search both follow the new ' +
    'file, and so does every text of the site that names the old address, which is gone then.',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  multipart: { file: 'file', maxBytes: longestUpload, emptyCode: 'empty_file' },
  input: { params: yup.object({ id: idText() }), body: ReplaceFields },
  output: Answer,
  errors: [
    'empty_file',
    'attachment_not_found',
    'file_type_not_allowed',
    'mime_type_mismatch',
    'invalid_media',
    'playback_artifacts_present',
    'media_quota_exceeded',
    'too_many_references',
    'replace_failed',
  ],
  // Storing 2 GiB on a slow disk takes minutes.
  timeoutMs: 300_000,
  example: { body: { replace_type: 'replace_and_search', timestamp_replace: 2, title: 'Fire exits 2026' } },
  handle: async ({ params, body, file }, call) => {
    if (file === null) throw new Error('A multipart operation got no file.');
    const wish = wishOf(call, body);
    const found = await findEditable(call, params.id);
    const { before, after, references, artifactsRemoved } = await new Replacement(call, wish).run(
      found,
      file,
    );
    const { post, filename, mime_type, bytes, width, height, duration } = after;
    const attachments = call.get(Attachments);
    return {
      success: true,
      attachment_id: post.id,
      replace_type: wish.replaceType,
      url: attachments.url(call.site, after),
      previous_url: attachments.url(call.site, before),
      ...{ filename, mime_type, bytes, width, height, duration },
      created_at: post.created_at,
      modified_at: post.modified_at,
      references_updated: references,
      artifacts_removed: artifactsRemoved,
    };
  },
});
