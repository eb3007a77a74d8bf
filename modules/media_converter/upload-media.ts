import {
  type Attachment,
  Attachments,
  type Call,
  callerOf,
  detectContentType,
  extensionOf,
  fail,
  headOf,
  isCoded,
  type MediaInfo,
  MediaProbe,
  type UploadedFile,
} from '@lyceum/core';
import type { Knex } from 'knex';

export const uploadErrors = ['invalid_media', 'media_quota_exceeded', 'post_not_found'] as const;

const refuse = (reason: string): never => fail('invalid_media', { data: { reason } });

/** What an uploaded film or sound is. @throws `invalid_media`, `data.reason` says why */
export async function examine(call: Call, file: UploadedFile): Promise<MediaInfo> {
  const info = await call.get(MediaProbe).info(file.path, call.signal);
  if (typeof info === 'string') return refuse(info);
  if (info.duration > call.setting<number>('max_duration_seconds')) refuse('too_long');
  if ((info.width ?? 0) * (info.height ?? 0) > call.setting<number>('max_pixels'))
    refuse('picture_too_large');
  return info;
}

/**
 * Makes an attachment of it; its type and extension are those of its content, whatever it was called.
 * @param also what is written together with it, or not at all
 */
export async function createMedia(
  call: Call,
  file: UploadedFile,
  given: { readonly title?: string | undefined; readonly parent_id?: number | undefined },
  also?: (trx: Knex.Transaction, attachment: Attachment) => Promise<unknown>,
): Promise<Attachment> {
  const head = await headOf(file.path);
  // Of some containers the content alone does not say how files of them are called.
  const type = (await detectContentType(head, '')) ?? (await detectContentType(head, extensionOf(file.name)));
  // ffprobe has read it, so it is media; but of a kind that no site serves.
  if (type === null || !/^(audio|video)\//.test(type.mime)) return refuse('container_not_allowed');
  const name = `${stemOf(file.name)}.${type.extension}`;
  try {
    return await call
      .get(Attachments)
      .create(call, { ...file, name }, { ...given, author_id: callerOf(call).id }, also);
  } catch (error) {
    if (isCoded(error) && error.code === 'media_type_not_allowed') return refuse('container_not_allowed');
    throw error;
  }
}

/** The name without what looks like an extension. */
function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name || 'film';
}
