import { text } from 'node:stream/consumers';
import {
  type Artifact,
  type ArtifactFolder,
  type Attachment,
  type Call,
  fail,
  isArtifactFolder,
  PlaybackArtifacts,
  treeEntry,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { thumbnailsKey } from './jobs/make-thumbnails.ts';
import { jobTypes } from './queue/entry.ts';
import { MediaQueue } from './queue/media-queue.ts';

/** @throws `folder_not_found` */
export const folderNamed = (name: string): ArtifactFolder =>
  isArtifactFolder(name) ? name : fail('folder_not_found');

/** A tree may be named by its folder, with the extension of the file that it is entered by. */
export const nameIn = (name: string): string =>
  name.endsWith('.m3u8') && !name.endsWith(`/${treeEntry}`) ? `${name.slice(0, -5)}/${treeEntry}` : name;

/** In lower case, without the dot; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Which folder each kind of work writes; a pack reads them all. */
const written: Readonly<Record<string, ArtifactFolder>> = {
  [jobTypes.encode]: 'sources',
  [jobTypes.stills]: 'stills',
  [jobTypes.thumbnails]: 'thumbnails',
};

/** @throws `artifact_busy` */
export async function refuseBusy(
  call: Call,
  trx: Knex.Transaction,
  { post }: Attachment,
  folder: ArtifactFolder,
): Promise<void> {
  const active = await call.get(MediaQueue).store.activeOf(trx, post.blog_id, post.id);
  if (active.some(({ job_type }) => (written[job_type] ?? folder) === folder)) fail('artifact_busy');
}

/** A sheet of thumbnails has another name: the track that names it is written anew. */
export async function followSheet(
  call: Call,
  trx: Knex.Transaction,
  { post }: Attachment,
  sheet: Artifact,
  name: string,
): Promise<void> {
  if (!('sheet' in sheet.meta) || sheet.name === name) return;
  const artifacts = call.get(PlaybackArtifacts);
  const [track] = await artifacts.list(post.blog_id, post.id, { formatKeys: [thumbnailsKey] }, trx);
  const open = track && (await artifacts.read(track));
  if (!track || !open) return;
  const changed = (await text(open.stream)).replaceAll(`\n${sheet.name}#xywh=`, `\n${name}#xywh=`);
  const owner = { blogId: post.blog_id, attachmentId: post.id };
  const content = { content: { bytes: Buffer.from(changed) }, name: track.name };
  const stored = await artifacts.store(owner, content, call.signal);
  const { folder, mime_type, format_key, meta } = track;
  const put = await artifacts.put(trx, stored, { folder, name: track.name, mime_type, format_key, meta });
  if (put === null) fail('attachment_not_found');
  // The name tells of other bytes now.
  await artifacts.revalidate(trx, put);
}
