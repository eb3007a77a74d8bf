import { stat } from 'node:fs/promises';
import path from 'node:path';
import { artifactName, fail, PlaybackArtifacts, type StoredContent } from '@lyceum/core';
import { lastPictureArguments, pictureArguments, stepsBack } from '../ffmpeg/picture-arguments.ts';
import { atWidth } from '../ffmpeg/picture-size.ts';
import type { Source } from '../ffmpeg/source-arguments.ts';
import { ffmpeg, type Maker, sourceOf, type Work } from './work.ts';

/** What was asked for; times in seconds. */
export interface StillOptions {
  readonly times: readonly number[];
  readonly width: number;
  readonly replace: boolean;
}

interface Still {
  readonly content: StoredContent;
  readonly time: number;
}

export const makeStills: Maker = async (work) => {
  const { times, width, replace } = work.format.options as unknown as StillOptions;
  const source = await sourceOf(work);
  const { info } = source;
  if (info.width === null || info.height === null)
    return fail('encode_failed', { message: 'There is no picture.' });
  const size = atWidth({ width: info.width, height: info.height }, width);
  const { job, attachment } = work;
  const { id, blog_id } = attachment.post;
  const artifacts = job.get(PlaybackArtifacts);
  const stills: Still[] = [];
  for (const [at, time] of times.entries()) {
    const file = await still(work, source, time, width, at);
    const owner = { blogId: blog_id, attachmentId: id };
    const content = await artifacts.store(owner, { content: { file }, name: 'still.jpg' }, job.signal);
    stills.push({ content, time });
    work.tell((at + 1) / times.length, null);
  }
  return {
    stored: stills.map(({ content }) => content),
    commit: async (trx) => {
      if (replace) await artifacts.drop(trx, blog_id, id, { folder: 'stills' });
      let bytes = 0;
      for (const { content, time } of stills) {
        const put = await artifacts.put(trx, content, {
          folder: 'stills',
          name: artifactName(attachment.filename, 'still', content.hash, 'jpg'),
          ...{ mime_type: 'image/jpeg', format_key: null, meta: { ...size, time } },
        });
        if (put === null) return null;
        bytes += put.bytes;
      }
      return { bytes, path: null };
    },
  };
};

/** The picture that is shown at a time. */
async function still(work: Work, source: Source, time: number, width: number, at: number): Promise<string> {
  const file = path.join(work.folder, `still-${at}.jpg`);
  for (const back of stepsBack) {
    const args = pictureArguments(source, work.limits, { time: Math.max(0, time - back), width, file });
    await ffmpeg({ ...work, tell: () => undefined }, args, source.info);
    if ((await stat(file).catch(() => null)) !== null) return file;
  }
  const last = lastPictureArguments(source, work.limits, width, file);
  await ffmpeg({ ...work, tell: () => undefined }, last, source.info);
  if ((await stat(file).catch(() => null)) !== null) return file;
  return fail('encode_failed', { message: 'There is no picture at that time.' });
}
