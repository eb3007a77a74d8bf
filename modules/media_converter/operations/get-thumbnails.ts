import { defineOperation, FileLinks, idText, PlaybackArtifacts, yup } from '@lyceum/core';
import { findVideo, videoErrors } from '../find-media.ts';
import { thumbnailsKey } from '../jobs/make-thumbnails.ts';
import { Poster, posterKey, presentPoster } from '../poster.ts';
import type { Sheets } from '../thumbnail-track.ts';

const whole = () => yup.number().integer().required();
const number = () => yup.number().integer().nullable().defined();
const file = { name: yup.string().required(), url: yup.string().required(), bytes: whole() };

export const getThumbnails = defineOperation({
  id: 'media_converter.get-thumbnails',
  method: 'GET',
  path: 'svc/media-converter/v1/attachments/{id}/thumbnails',
  summary: 'Pictures for the seek bar of a film, and its poster',
  access: { can: 'upload_files' },
  site: 'selectable',
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: yup.object({
    attachment_id: whole(),
    sprites: yup
      .array()
      .of(yup.object({ ...file, width: whole(), height: whole() }))
      .required(),
    vtt: yup.object(file).nullable().defined(),
    interval_seconds: yup.number().nullable().defined(),
    tile_width: number(),
    tile_height: number(),
    columns: number(),
    count: whole(),
    poster: Poster.nullable().defined(),
  }),
  errors: [...videoErrors],
  handle: async ({ params }, call) => {
    const { post } = await findVideo(call, params.id);
    const all = await call.get(PlaybackArtifacts).list(post.blog_id, post.id, { folder: 'thumbnails' });
    const url = (path: string): string => call.get(FileLinks).plain(call.site, path);
    const track = all.find(({ format_key }) => format_key === thumbnailsKey);
    const layout = (track?.meta ?? {}) as Partial<Sheets>;
    const sheets = all
      .map((artifact) => ({ ...artifact, sheet: artifact.meta as Partial<Sheets> & { sheet?: number } }))
      .filter(({ sheet }) => sheet.sheet !== undefined)
      .sort((a, b) => (a.sheet.sheet ?? 0) - (b.sheet.sheet ?? 0));
    return {
      attachment_id: post.id,
      sprites: sheets.map(({ name, path, bytes, sheet }) => ({
        ...{ name, url: url(path), bytes, width: sheet.width ?? 0, height: sheet.height ?? 0 },
      })),
      vtt: track ? { name: track.name, url: url(track.path), bytes: track.bytes } : null,
      interval_seconds: layout.interval ?? null,
      tile_width: layout.width ?? null,
      tile_height: layout.height ?? null,
      columns: layout.columns ?? null,
      count: layout.count ?? 0,
      poster: presentPoster(
        call,
        all.find(({ format_key }) => format_key === posterKey),
      ),
    };
  },
});
