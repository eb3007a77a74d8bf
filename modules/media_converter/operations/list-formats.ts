import { type Call, defineOperation, FileLinks, id, PlaybackArtifacts, word, yup } from '@lyceum/core';
import { reasonOf } from '../choose-formats.ts';
import { Ffmpeg } from '../ffmpeg/ffmpeg.ts';
import { findMedia, infoOf, mediaErrors } from '../find-media.ts';
import { formats } from '../formats.ts';

const FormatRecord = yup.object({
  key: yup.string().required(),
  label: yup.string().required(),
  kind: word('video', 'audio').required(),
  container: yup.string().required(),
  mime_type: yup.string().required(),
  video_codec: yup.string().nullable().defined(),
  audio_codec: yup.string().required(),
  height: yup.number().integer().nullable().defined(),
  enabled: yup.boolean().required(),
  available: yup.boolean().required(),
  exists: yup.boolean(),
  url: yup.string(),
  applicable: yup.boolean(),
  reason: yup.string().nullable(),
});

export const listFormats = defineOperation({
  id: 'media_converter.list-formats',
  method: 'GET',
  path: 'svc/media-converter/v1/formats',
  summary:
    'Formats that films and sound are encoded in; with attachment_id also which of them it has or can have',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { query: yup.object({ attachment_id: id() }) },
  output: yup.array().of(FormatRecord.required()).required(),
  errors: [...mediaErrors],
  handle: async ({ query }, call) => {
    const own = query.attachment_id === undefined ? null : await ofAttachment(call, query.attachment_id);
    const available = await call.get(Ffmpeg).available();
    const enabled = call.setting<readonly string[]>('enabled_formats');
    return formats.map((format) => ({
      ...format,
      enabled: enabled.includes(format.key),
      available: available.has(format.key),
      ...own?.(format.key),
    }));
  },
});

async function ofAttachment(call: Call, attachmentId: number) {
  const attachment = await findMedia(call, attachmentId);
  const info = await infoOf(call, attachment);
  const artifacts = await call.get(PlaybackArtifacts).list(call.site.blog_id, attachmentId, {});
  return (key: string) => {
    const made = artifacts.find(({ format_key }) => format_key === key);
    const reason = reasonOf(key, info);
    const url = made ? call.get(FileLinks).plain(call.site, made.path) : '';
    return { exists: made !== undefined, url, applicable: reason === null, reason };
  };
}
