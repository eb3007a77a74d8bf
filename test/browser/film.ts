import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findCommand } from '../../core/boot/commands.ts';
import type { Client } from '../kit/index.ts';

const run = promisify(execFile);
const route = 'svc/media-converter/v1';

export const seconds = 8;

/** A moving test picture with a tone, 1280 × 720, as somebody would upload it. Null where there is no ffmpeg. */
export async function makeFilm(): Promise<Buffer | null> {
  const ffmpeg = findCommand('ffmpeg', process.env);
  if (ffmpeg === null) return null;
  const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-film-'));
  const file = path.join(folder, 'film.mp4');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds}`];
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await run(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...picture, ...tone, ...codecs, file]);
  const film = await readFile(file);
  await rm(folder, { recursive: true });
  return film;
}

/** Has the converter make all that players ask for: two sizes of MP4, WebM, a ladder of HLS and pictures of the seek bar. */
export async function convert(author: Client, id: number): Promise<void> {
  const at = `${route}/attachments/${id}`;
  const formats = ['mp4_720', 'mp4_480', 'webm_vp9', 'hls'];
  const encode = (await author.post(`${at}/encode`, { formats }).expect(202)).body.queue_key as string;
  const pictures = await author.post(`${at}/thumbnails`, { interval_seconds: 1 }).expect(202);
  for (const key of [encode, pictures.body.queue_key as string]) {
    for (let status = 'pending'; status !== 'completed'; ) {
      const { body } = await author.get(`${route}/queue/${key}?wait=20`).expect(200);
      status = body.status;
      if (status === 'failed' || status === 'cancelled') throw new Error(JSON.stringify(body));
    }
  }
}
