import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Attachment, type Call, fail, Storage } from '@lyceum/core';
import { pictureArguments, stepsBack } from './ffmpeg/picture-arguments.ts';
import { commonArguments, runFfmpeg } from './ffmpeg/run-ffmpeg.ts';
import { infoOf } from './find-media.ts';
import { localSource } from './local-source.ts';

const timeLimitMs = 60_000;

/**
 * A JPEG of the picture at a time, in the film's own size but no wider than 1920.
 * @throws `encode_failed`, `encode_timeout`
 */
export async function takePicture(
  call: Call,
  film: Attachment,
  time: number,
  { command, folder }: { readonly command: string; readonly folder: string },
): Promise<string> {
  const info = await infoOf(call, film);
  const key = film.file_key;
  const input = key === null ? null : await localSource(call.get(Storage), key, folder, call.signal);
  if (info?.width == null || info.height === null || input === null) return fail('encode_failed');
  const source = { file: input, info };
  const limits = { threads: call.setting<number>('threads'), maxPixels: call.setting<number>('max_pixels') };
  const file = path.join(folder, 'poster.jpg');
  for (const back of stepsBack) {
    const args = pictureArguments(source, limits, { time: Math.max(0, time - back), width: 1920, file });
    const ended = await runFfmpeg({
      ...{ command, args: [...commonArguments, ...args], folder, timeLimitMs, signal: call.signal },
      onProgress: () => undefined,
    });
    if (ended.kind === 'late') fail('encode_timeout');
    if (ended.kind === 'failed') fail('encode_failed');
    if ((await stat(file).catch(() => null)) !== null) return file;
  }
  return fail('encode_failed');
}
