import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findCommand } from '../../core/boot/commands.ts';
import { registerResolveHooks } from '../../core/discovery/resolve-hooks.ts';
import { type Client, startTestHost } from '../kit/index.ts';
import { stopTestPostgres } from '../kit/postgres.ts';
import { median } from './measure.ts';

/**
 * A film encoded by the host, from the answer to whoever asked until it is completed, beside the same ffmpeg command by
 * hand; interleaved, medians and their ratio. The goal is 1.05. `node test/bench/encode.ts [seconds of film] [rounds]`
 */
registerResolveHooks();

const run = promisify(execFile);
const [filmSeconds = 60, rounds = 3] = process.argv.slice(2).map(Number);
const route = 'svc/media-converter/v1';

const ffmpeg = findCommand('ffmpeg', process.env) ?? '';
const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-bench-'));
const film = path.join(folder, 'film.mp4');
await run(ffmpeg, [
  ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${filmSeconds}`],
  ...['-f', 'lavfi', '-i', `sine=duration=${filmSeconds}`, '-c:v', 'libx264', '-preset', 'ultrafast'],
  ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', film],
]);
const threads = String(Math.min(cpus().length, 4));

async function byHand(): Promise<number> {
  const began = performance.now();
  await run(ffmpeg, [
    ...['-y', '-nostdin', '-v', 'error', '-threads', threads, '-i', film, '-map', '0:0', '-map', '0:1'],
    ...[
      '-vf',
      'scale=1280:720,setsar=1,format=yuv420p',
      '-fpsmax',
      '60',
      '-c:v',
      'libx264',
      '-preset',
      'medium',
    ],
    ...['-crf', '23', '-x264-params', '8x8dct=1:cabac=1', '-c:a', 'aac', '-b:a', '128k', '-ac', '2'],
    ...[
      '-ar',
      '48000',
      '-threads',
      threads,
      '-f',
      'mp4',
      '-movflags',
      '+faststart',
      path.join(folder, 'out.mp4'),
    ],
  ]);
  return (performance.now() - began) / 1000;
}

async function byHost(client: Client, id: number): Promise<number> {
  const began = performance.now();
  const asked = await client.post(`${route}/attachments/${id}/encode`, { formats: ['mp4_720'] }).expect(202);
  for (;;) {
    const { body } = await client.get(`${route}/queue/${asked.body.queue_key}?wait=30`).expect(200);
    if (body.status === 'completed') return (performance.now() - began) / 1000;
    if (body.status !== 'pending' && body.status !== 'running') throw new Error(JSON.stringify(body.error));
  }
}

const lyceum = await startTestHost({ modules: ['media_converter'], config: { workers: 'inline' } });
try {
  const client = lyceum.as(await lyceum.make.admin());
  const content = await readFile(film);
  const uploaded = await client.post(`${route}/media`).attach('file', content, 'film.mp4').expect(201);
  const hand: number[] = [];
  const host: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    hand.push(await byHand());
    host.push(await byHost(client, uploaded.body.attachment_id));
  }
  const ratio = median(host) / median(hand);
  process.stdout.write(
    `${filmSeconds} s of film: by hand ${median(hand).toFixed(2)} s, by the host ${median(host).toFixed(2)} s, ratio ${ratio.toFixed(3)}\n`,
  );
} finally {
  await lyceum.stop();
  await rm(folder, { recursive: true, force: true });
}
await stopTestPostgres();
