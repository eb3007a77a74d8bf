import {
  type Artifact,
  type Attachment,
  artifactBase,
  artifactFolders,
  type Call,
  FileLinks,
  PlaybackArtifacts,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { formatKeys } from './formats.ts';
import { posterKey } from './poster.ts';

const files = () =>
  yup
    .array()
    .of(
      yup.object({
        name: yup.string().required(),
        url: yup.string().required(),
        bytes: yup.number().integer().required(),
      }),
    )
    .required();

const FormatFile = yup.object({ exists: yup.boolean().required(), url: yup.string().defined() });

/** All that players are given for a film, by folder. */
export const ArtifactsRecord = yup.object({
  attachment_id: yup.number().integer().required(),
  basename: yup.string().required(),
  sources: files(),
  subtitles: files(),
  chapters: files(),
  thumbnails: files(),
  stills: files(),
  formats: yup.object(Object.fromEntries(formatKeys.map((key) => [key, FormatFile.required()]))).required(),
  poster: yup.string().defined(),
});

export async function presentArtifacts(call: Call, { post, filename }: Attachment, sql?: Knex) {
  const artifacts = await call.get(PlaybackArtifacts).list(post.blog_id, post.id, {}, sql);
  const url = ({ path }: Artifact): string => call.get(FileLinks).plain(call.site, path);
  const folders = artifactFolders.map((folder) => {
    const own = artifacts.filter((artifact) => artifact.folder === folder);
    return [
      folder,
      own.map((artifact) => ({
        name: `${folder}/${artifact.name}`,
        url: url(artifact),
        bytes: artifact.bytes,
      })),
    ] as const;
  });
  const byKey = (key: string) => artifacts.find(({ format_key }) => format_key === key);
  const poster = byKey(posterKey);
  return {
    attachment_id: post.id,
    basename: artifactBase(filename),
    ...Object.fromEntries(folders),
    formats: Object.fromEntries(
      formatKeys.map((key) => {
        const made = byKey(key);
        return [key, { exists: made !== undefined, url: made ? url(made) : '' }];
      }),
    ),
    poster: poster ? url(poster) : '',
  };
}
