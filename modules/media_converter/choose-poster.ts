import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  type Artifact,
  type Attachment,
  Attachments,
  artifactName,
  type Call,
  Database,
  fail,
  isCoded,
  type LocalContent,
  PlaybackArtifacts,
  Storage,
  WorkFolders,
} from '@lyceum/core';
import { Ffmpeg } from './ffmpeg/ffmpeg.ts';
import { type PosterSource, posterKey } from './poster.ts';
import { takePicture } from './take-picture.ts';

export interface PosterWish {
  readonly time?: number | undefined;
  readonly name?: string | undefined;
  readonly attachment_id?: number | undefined;
}

interface Picture {
  readonly content: LocalContent;
  readonly extension: string;
  readonly mime_type: string;
  readonly source: PosterSource;
  readonly time: number | null;
}

/** Greatest image of the site that is copied as a poster. */
const mostBytes = 64 * 1024 * 1024;

/** Copies the picture to the film's thumbnails, in place of the poster that it has. */
export async function choosePoster(call: Call, film: Attachment, wish: PosterWish): Promise<Artifact> {
  return call.get(WorkFolders).use(async (folder) => {
    const picture = await pictureFor(call, film, wish, folder);
    const artifacts = call.get(PlaybackArtifacts);
    const { id, blog_id } = film.post;
    const { extension, mime_type, source, time } = picture;
    const given = { content: picture.content, name: `poster.${extension}` };
    let stored: Awaited<ReturnType<typeof artifacts.store>>;
    try {
      stored = await artifacts.store({ blogId: blog_id, attachmentId: id }, given, call.signal);
    } catch (error) {
      if (isCoded(error)) throw error;
      return fail('storage_unavailable');
    }
    const poster = await call.get(Database).transaction((trx) =>
      artifacts.put(trx, stored, {
        folder: 'thumbnails',
        name: artifactName(film.filename, 'poster', stored.hash, extension),
        ...{ mime_type, format_key: posterKey, meta: { source, time } },
      }),
    );
    if (poster) return poster;
    await artifacts.takeBack(stored);
    return fail('attachment_not_found');
  });
}

async function pictureFor(call: Call, film: Attachment, wish: PosterWish, folder: string): Promise<Picture> {
  const jpeg = { extension: 'jpg', mime_type: 'image/jpeg' } as const;
  if (wish.time !== undefined) {
    const file = await takePicture(call, film, wish.time, { command: call.get(Ffmpeg).command, folder });
    return { ...jpeg, content: { file }, source: 'time', time: wish.time };
  }
  if (wish.name !== undefined)
    return { ...jpeg, ...(await stillNamed(call, film, wish.name)), source: 'still' };
  return imageOf(call, wish.attachment_id ?? 0);
}

async function stillNamed(call: Call, { post }: Attachment, name: string) {
  const artifacts = call.get(PlaybackArtifacts);
  const [still] = await artifacts.list(post.blog_id, post.id, { folder: 'stills', names: [name] });
  const open = still && (await artifacts.read(still));
  if (!still || !open) return fail('artifact_not_found');
  const { time = null } = still.meta as { time?: number };
  return { content: { bytes: await buffer(open.stream) }, time };
}

async function imageOf(call: Call, id: number): Promise<Picture> {
  const image = await call.get(Attachments).find(call.site.blog_id, id);
  const isShown = image?.file_key && image.post.status !== 'trash' && image.mime_type.startsWith('image/');
  // A vector image may hold scripts, and no player shows one.
  if (!isShown || image.mime_type === 'image/svg+xml' || (image.bytes ?? 0) > mostBytes) {
    return fail('attachment_not_found');
  }
  const open = await call.get(Storage).read(image.file_key ?? '');
  if (!open) return fail('attachment_not_found');
  const content = { bytes: await buffer(open.stream) };
  const extension = path.extname(image.filename).slice(1).toLowerCase() || 'jpg';
  return { content, extension, mime_type: image.mime_type, source: 'attachment', time: null };
}
