import {
  type Attachment,
  Attachments,
  type Call,
  Database,
  editPost,
  fail,
  type MediaInfo,
  MediaProbe,
  mayEditAttachment,
  Posts,
  PostTypes,
  readId,
  Storage,
} from '@lyceum/core';
import type { Knex } from 'knex';

/** Codes of `findMedia` and `findVideo`. */
export const mediaErrors = ['attachment_not_found', 'not_media_attachment'] as const;
export const videoErrors = ['attachment_not_found', 'not_video_attachment'] as const;

export type MediaKind = 'video' | 'audio';

/** Null for what is neither. */
export function kindOf({ media_info, mime_type }: Attachment): MediaKind | null {
  const said = /^(video|audio)\//.exec(mime_type)?.[1] as MediaKind | undefined;
  return said ? (media_info?.kind ?? said) : null;
}

async function findEditable(call: Call, id: number | null, sql?: Knex): Promise<Attachment> {
  const found = id === null ? null : await call.get(Attachments).find(call.site.blog_id, id, sql);
  if (!found || found.post.status === 'trash') return fail('attachment_not_found');
  if (!mayEditAttachment(call, found.post)) return fail('rest_forbidden');
  return found;
}

/** A film or sound that the caller may edit. @throws `mediaErrors`, `rest_forbidden` */
export async function findMedia(call: Call, id: number | null, sql?: Knex): Promise<Attachment> {
  const found = await findEditable(call, id, sql);
  return kindOf(found) === null ? fail('not_media_attachment') : found;
}

/** A film that the caller may edit. @throws `videoErrors`, `rest_forbidden` */
export async function findVideo(call: Call, id: string, sql?: Knex): Promise<Attachment> {
  const found = await findEditable(call, readId(id), sql);
  return kindOf(found) === 'video' ? found : fail('not_video_attachment');
}

/** What is known of its file; one that came in before anybody looked is looked at once. Null when it is no media. */
export async function infoOf(call: Call, attachment: Attachment): Promise<MediaInfo | null> {
  const { media_info, file_key } = attachment;
  if (media_info !== null || file_key === null) return media_info;
  const file = await call.get(Storage).localPath(file_key);
  if (file === null) return null;
  const info = await call.get(MediaProbe).info(file, call.signal);
  if (typeof info === 'string') return null;
  await call.get(Attachments).noteMedia(attachment, info);
  return info;
}

/** A record of the site that the caller may edit. @throws `post_not_found`, `rest_forbidden` */
export async function checkParent(call: Call, parentId: number | undefined): Promise<void> {
  if (!parentId) return;
  const parent = await call.get(Posts).find(call.site.blog_id, parentId, call.get(Database).knex);
  const type = parent && call.get(PostTypes).get(parent.type);
  if (!parent || !type || parent.status === 'trash' || parent.type === 'attachment')
    return fail('post_not_found');
  if (!editPost(call, parent, type)) fail('rest_forbidden');
}
