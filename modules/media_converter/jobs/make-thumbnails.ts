import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { artifactName, fail, PlaybackArtifacts, type StoredContent } from '@lyceum/core';
import { atWidth } from '../ffmpeg/picture-size.ts';
import { chosenStreams, sourceArguments } from '../ffmpeg/source-arguments.ts';
import { type Sheets, thumbnailTrack, tileCount, tileRows } from '../thumbnail-track.ts';
import { ffmpeg, type Maker, sourceOf } from './work.ts';

export interface ThumbnailOptions {
  readonly interval_seconds: number;
  readonly tile_width: number;
  readonly columns: number;
}

/** Over so many tiles they stand further apart. */
const mostTiles = 1_000;

export const thumbnailsKey = 'thumbnails';

export const makeThumbnails: Maker = async (work) => {
  const options = work.format.options as unknown as ThumbnailOptions;
  const source = await sourceOf(work);
  const { info } = source;
  if (info.width === null || info.height === null)
    return fail('encode_failed', { message: 'There is no picture.' });
  const interval = Math.max(options.interval_seconds, Math.ceil(info.duration / mostTiles));
  // A picture that is far higher than wide would make sheets that no JPEG can hold.
  const width = Math.min(options.tile_width, Math.ceil((2 * options.tile_width * info.width) / info.height));
  const size = atWidth({ width: info.width, height: info.height }, width);
  const count = tileCount(info.duration, interval);
  const filters = [
    // `pass`: a film that is shorter than half an interval has a picture, too.
    `fps=1/${interval}:start_time=0:eof_action=pass`,
    'tpad=stop=3:stop_mode=clone',
    `trim=end_frame=${count}`,
    `scale=${size.width}:${size.height}`,
    'setsar=1',
    'format=yuvj420p',
    `tile=${options.columns}x${tileRows}`,
  ];
  await ffmpeg(
    work,
    [
      ...sourceArguments(source, work.limits, null),
      ...chosenStreams(source, { video: true, audio: false }),
      ...[
        '-vf',
        filters.join(','),
        '-fps_mode',
        'passthrough',
        '-q:v',
        '4',
        '-f',
        'image2',
        'sheet-%04d.jpg',
      ],
    ],
    info,
  );
  const files = (await readdir(work.folder)).filter((name) => name.startsWith('sheet-')).sort();
  if (files.length === 0) fail('encode_failed', { message: 'There is no picture.' });
  const { job, attachment } = work;
  const { id, blog_id } = attachment.post;
  const artifacts = job.get(PlaybackArtifacts);
  const owner = { blogId: blog_id, attachmentId: id };
  const sheets: { readonly stored: StoredContent; readonly name: string }[] = [];
  for (const file of files) {
    const content = { file: path.join(work.folder, file) };
    const stored = await artifacts.store(owner, { content, name: 'sheet.jpg' }, job.signal);
    sheets.push({ stored, name: artifactName(attachment.filename, 'sprite', stored.hash, 'jpg') });
  }
  const names = numbered(sheets.map(({ name }) => name));
  const layout: Sheets = {
    ...{ interval, count, columns: options.columns, width: size.width, height: size.height },
    duration: info.duration,
  };
  const content = { bytes: Buffer.from(thumbnailTrack(layout, names)) };
  const track = await artifacts.store(owner, { content, name: 'thumbnails.vtt' }, job.signal);
  return {
    stored: [track, ...sheets.map(({ stored }) => stored)],
    commit: async (trx) => {
      const old = await artifacts.list(blog_id, id, { folder: 'thumbnails' }, trx);
      const gone = old.filter(({ meta, format_key }) => format_key === thumbnailsKey || 'sheet' in meta);
      await artifacts.supersede(trx, blog_id, id, { ids: gone.map((artifact) => artifact.id) });
      let bytes = 0;
      for (const [at, { stored }] of sheets.entries()) {
        const meta = { sheet: at, width: size.width * layout.columns, height: size.height * tileRows };
        const name = names[at] ?? '';
        const given = {
          folder: 'thumbnails',
          name,
          mime_type: 'image/jpeg',
          format_key: null,
          meta,
        } as const;
        const put = await artifacts.put(trx, stored, given);
        if (put === null) return null;
        bytes += put.bytes;
      }
      const put = await artifacts.put(trx, track, {
        folder: 'thumbnails',
        name: artifactName(attachment.filename, 'thumbnails', track.hash, 'vtt'),
        ...{ mime_type: 'text/vtt', format_key: thumbnailsKey, meta: { ...layout } },
      });
      return put && { bytes: bytes + put.bytes, path: put.path };
    },
  };
};

/** Sheets of a picture that never changes are the same: each has a name of its own. */
function numbered(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : name.replace(/\.jpg$/, `-${times}.jpg`);
  });
}
