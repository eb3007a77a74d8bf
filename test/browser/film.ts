import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { NewArtifact } from '../../core/artifacts/artifact.ts';
import { artifactName } from '../../core/artifacts/artifact-names.ts';
import { PlaybackArtifacts } from '../../core/artifacts/playback-artifacts.ts';
import type { LocalContent } from '../../core/artifacts/store-content.ts';
import { findCommand } from '../../core/boot/commands.ts';
import type { TestHost } from '../kit/index.ts';

const run = promisify(execFile);

export const seconds = 8;
const tile = { width: 160, height: 90 } as const;

/** A moving test picture with a tone, 320 × 180, and what an encoder would make of it. */
export interface Film {
  readonly folder: string;
  readonly mp4: string;
  /** A tree with a master playlist. */
  readonly hls: string;
  /** Eight pictures in a row. */
  readonly sheet: string;
}

/** Null where there is no ffmpeg. */
export async function makeFilm(): Promise<Film | null> {
  const ffmpeg = findCommand('ffmpeg', process.env);
  if (ffmpeg === null) return null;
  const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-film-'));
  const film = {
    ...{ folder, mp4: path.join(folder, 'film.mp4'), hls: path.join(folder, 'hls') },
    sheet: path.join(folder, 'sheet.jpg'),
  };
  const start = ['-hide_banner', '-nostdin', '-v', 'error', '-y'];
  const picture = `testsrc2=size=320x180:rate=25:duration=${seconds}`;
  const tone = `sine=frequency=440:duration=${seconds}`;
  await run(ffmpeg, [
    ...[
      ...start,
      '-f',
      'lavfi',
      '-i',
      picture,
      '-f',
      'lavfi',
      '-i',
      tone,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
    ],
    ...[
      '-pix_fmt',
      'yuv420p',
      '-profile:v',
      'high',
      '-g',
      '25',
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
      film.mp4,
    ],
  ]);
  await mkdir(path.join(film.hls, '180'), { recursive: true });
  await run(ffmpeg, [
    ...[...start, '-i', film.mp4, '-c', 'copy', '-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod'],
    ...[
      '-hls_segment_filename',
      path.join(film.hls, '180', '%d.ts'),
      path.join(film.hls, '180', 'index.m3u8'),
    ],
  ]);
  const rung = '#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=320x180\n180/index.m3u8\n';
  await writeFile(path.join(film.hls, 'master.m3u8'), `#EXTM3U\n#EXT-X-VERSION:3\n${rung}`);
  const row = `fps=1,scale=${tile.width}:${tile.height},tile=${seconds}x1`;
  await run(ffmpeg, [...start, '-i', film.mp4, '-vf', row, '-frames:v', '1', film.sheet]);
  if ((await readdir(path.join(film.hls, '180'))).length < 3) throw new Error('The film has no segments.');
  return film;
}

export const removeFilm = (film: Film): Promise<void> => rm(film.folder, { recursive: true });

const never = new AbortController().signal;

/** Gives an attachment of site 1 all that players ask for, as an encoder would. */
export async function encodeFilm({ host }: TestHost, attachmentId: number, film: Film): Promise<void> {
  const artifacts = host.services.host(PlaybackArtifacts);
  async function put(
    content: LocalContent,
    ending: string | null,
    given: Omit<NewArtifact, 'name' | 'meta'> & { readonly meta?: NewArtifact['meta'] },
  ): Promise<string> {
    const name = ending === null ? 'tree' : `a.${ending}`;
    const stored = await artifacts.store({ blogId: 1, attachmentId }, { content, name }, never);
    const named = artifactName('film.mp4', given.format_key ?? 'sheet', stored.hash, ending);
    await host.db.transaction((trx) => artifacts.put(trx, stored, { meta: {}, ...given, name: named }));
    return named;
  }
  const codecs = { video_codecs: 'avc1.64000d', audio_codecs: 'mp4a.40.2', duration: seconds };
  for (const height of [720, 480]) {
    const meta = { ...codecs, width: Math.round((height / 9) * 8) * 2, height, bit_rate: 500_000 };
    const given = { folder: 'sources', mime_type: 'video/mp4', format_key: `mp4_${height}`, meta } as const;
    await put({ file: film.mp4 }, 'mp4', given);
  }
  const hls = { folder: 'sources', mime_type: 'application/vnd.apple.mpegurl', format_key: 'hls' } as const;
  await put({ folder: film.hls }, null, hls);
  const sheet = { folder: 'thumbnails', mime_type: 'image/jpeg', format_key: null } as const;
  const name = await put({ file: film.sheet }, 'jpg', sheet);
  const cues = Array.from({ length: seconds }, (_none, at) => {
    const times = `00:00:0${at}.000 --> 00:00:0${at + 1}.000`;
    return `${times}\n${name}#xywh=${at * tile.width},0,${tile.width},${tile.height}\n`;
  });
  const track = { folder: 'thumbnails', mime_type: 'text/vtt', format_key: 'thumbnails' } as const;
  await put({ bytes: Buffer.from(`WEBVTT\n\n${cues.join('\n')}`) }, 'vtt', track);
}
