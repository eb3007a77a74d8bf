import { type Attachment, type Call, FileLinks, PlaybackArtifacts, yup } from '@lyceum/core';

/** A picture taken from a film. */
export const StillRecord = yup.object({
  name: yup.string().required(),
  url: yup.string().required(),
  bytes: yup.number().integer().required(),
  width: yup.number().integer().required(),
  height: yup.number().integer().required(),
  time: yup.number().required(),
});

interface StillMeta {
  readonly width?: number;
  readonly height?: number;
  readonly time?: number;
}

/** By time. */
export async function presentStills(call: Call, { post }: Attachment) {
  const stills = await call.get(PlaybackArtifacts).list(post.blog_id, post.id, { folder: 'stills' });
  const shown = stills.map(({ name, path, bytes, meta }) => {
    const { width = 0, height = 0, time = 0 } = meta as StillMeta;
    return { name, url: call.get(FileLinks).plain(call.site, path), bytes, width, height, time };
  });
  return shown.sort((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1));
}
