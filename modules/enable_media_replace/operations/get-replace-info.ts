import {
  type Attachment,
  Attachments,
  type Call,
  Database,
  defineOperation,
  FileReferences,
  FileReplacements,
  idText,
  isActive,
  mimeOfExtension,
  type ReferenceCounts,
  SettingsService,
  State,
  time,
  UNKNOWN_TYPE,
  word,
  yup,
} from '@lyceum/core';
import { PlaybackArtifactsRecord, presentArtifacts } from '../artifacts.ts';
import { findEditable } from '../find-attachment.ts';
import { replacedOf } from '../meta.ts';
import { replaceTypes } from '../settings.ts';
import { uploadLimit } from '../upload-limit.ts';
import { ReferencesRecord } from './references-record.ts';

const ReplaceInfo = yup.object({
  attachment_id: yup.number().integer().required(),
  blog_id: yup.number().integer().required(),
  title: yup.string().defined(),
  filename: yup.string().required(),
  url: yup.string().defined(),
  mime_type: yup.string().required(),
  bytes: yup.number().integer().defined().nullable(),
  width: yup.number().integer().defined().nullable(),
  height: yup.number().integer().defined().nullable(),
  duration: yup.number().defined().nullable(),
  created_at: time().required(),
  modified_at: time().required(),
  replaced_at: time().defined().nullable(),
  replaced_count: yup.number().integer().required(),
  replace_types: yup
    .array()
    .of(
      yup.object({
        type: word(...replaceTypes).required(),
        mime_types: yup.array().of(yup.string().required()).required(),
      }),
    )
    .required(),
  max_bytes: yup.number().integer().required(),
  timestamp_replace: yup.number().integer().required(),
  replace_type: word(...replaceTypes).required(),
  references: ReferencesRecord,
  playback_artifacts: PlaybackArtifactsRecord.required(),
});

export const getReplaceInfo = defineOperation({
  id: 'enable_media_replace.get-replace-info',
  method: 'GET',
  path: 'svc/enable-media-replace/v1/attachments/{id}/replace-info',
  summary: 'What a replacement of the file of an attachment would meet',
  description: 'Records that name the address of the file are counted once each, however often they name it.',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: ReplaceInfo,
  errors: ['attachment_not_found'],
  // The texts of the site are read: a large one takes its time.
  timeoutMs: 120_000,
  handle: async ({ params }, call) => {
    const attachment = await findEditable(call, params.id);
    const { post, filename, mime_type, bytes, width, height, duration } = attachment;
    const replaced = replacedOf(attachment);
    const derived = await call
      .get(Database)
      .transaction((trx) => call.get(FileReplacements).derived(trx, call, attachment));
    return {
      attachment_id: post.id,
      blog_id: post.blog_id,
      title: post.title,
      url: call.get(Attachments).url(call.site, attachment),
      ...{ filename, mime_type, bytes, width, height, duration },
      created_at: post.created_at,
      modified_at: post.modified_at,
      replaced_at: replaced?.at ?? null,
      replaced_count: replaced?.count ?? 0,
      replace_types: [
        { type: 'replace', mime_types: [mime_type] },
        { type: 'replace_and_search', mime_types: allowedTypes(call) },
      ],
      max_bytes: uploadLimit(call, mime_type),
      timestamp_replace: call.setting('default_timestamp_replace'),
      replace_type: call.setting('default_replace_type'),
      references: await referencesTo(call, attachment),
      playback_artifacts: presentArtifacts(derived),
    };
  },
});

function referencesTo(call: Call, { path }: Attachment): ReferenceCounts | Promise<ReferenceCounts> {
  if (path === null) return { posts: 0, terms: 0, options: 0 };
  return call.get(FileReferences).count({ site: call.site, path });
}

/** Types of the extensions that the site takes, without those that a browser could run. */
function allowedTypes(call: Call): string[] {
  const spec = call.get(State).modules.get('host')?.spec;
  if (!spec) throw new Error('The module "host" is not installed.');
  const extensions = call.get(SettingsService).value(spec, 'upload_filetypes', call.state) as string[];
  const types = extensions.map(mimeOfExtension);
  return [...new Set(types)].filter((type) => type !== UNKNOWN_TYPE && !isActive(type)).sort();
}
