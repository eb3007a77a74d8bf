import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ArtifactFolder, artifactName, fail, PlaybackArtifacts, Storage } from '@lyceum/core';
import { ZipFile } from 'yazl';
import type { Maker } from './work.ts';

export interface PackOptions {
  readonly folders: readonly ArtifactFolder[];
}

const dayMs = 24 * 60 * 60 * 1000;

/** Packs are served below the attachment's address, in a folder that is none of its artifacts'. */
const packFolder = 'packs';

/** A zip of artifacts, stored and not pressed: films and pictures are pressed already. */
export const makePack: Maker = async (work) => {
  const { folders } = work.format.options as unknown as PackOptions;
  const { job, attachment } = work;
  const { id, blog_id } = attachment.post;
  const artifacts = job.get(PlaybackArtifacts);
  const found = await artifacts.list(blog_id, id, {});
  const wanted = found.filter(({ folder }) => folders.includes(folder));
  if (wanted.length === 0) fail('encode_failed', { message: 'The attachment has no such files.' });
  const file = path.join(work.folder, 'pack.zip');
  const zip = new ZipFile();
  const writing = pipeline(zip.outputStream, createWriteStream(file), { signal: job.signal });
  let done = 0;
  let packed = 0;
  for (const artifact of wanted) {
    for await (const { key, name, bytes } of artifacts.files(artifact)) {
      packed += 1;
      zip.addReadStreamLazy(`${artifact.folder}/${name}`, { compress: false, size: bytes }, (give) => {
        job
          .get(Storage)
          .read(key)
          .then((open) => {
            done += 1;
            work.tell(done / packed, null);
            if (open) give(null, open.stream);
            else give(new Error('A file to be packed is missing.'), undefined as never);
          })
          .catch((error: unknown) => give(error, undefined as never));
      });
    }
  }
  const failed = new Promise<never>((_resolve, reject) => zip.on('error', reject));
  zip.end();
  await Promise.race([writing, failed]);
  const owner = { blogId: blog_id, attachmentId: id };
  const content = await artifacts.store(owner, { content: { file }, name: 'pack.zip' }, job.signal);
  return {
    stored: [content],
    commit: async (trx) => {
      const name = artifactName(attachment.filename, 'pack', content.hash, 'zip');
      const served = { folder: packFolder, name, mime_type: 'application/zip' };
      const path_ = await artifacts.serve(trx, content, served, new Date(Date.now() + dayMs));
      return path_ === null ? null : { bytes: content.bytes, path: path_ };
    },
  };
};
