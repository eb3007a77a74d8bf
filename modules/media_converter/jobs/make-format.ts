import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  artifactName,
  fail,
  type MediaInfo,
  MediaProbe,
  type MediaProblem,
  PlaybackArtifacts,
} from '@lyceum/core';
import {
  type EncodeOptions,
  type EncodePlan,
  encodeArguments,
  rungArguments,
  sizeIn,
} from '../ffmpeg/encode-arguments.ts';
import { Ffmpeg } from '../ffmpeg/ffmpeg.ts';
import { masterPlaylist, type Rung, segmentsIn } from '../ffmpeg/hls-master.ts';
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts';
import { type Format, formatOf, inapplicable, rungs } from '../formats.ts';
import { checkDuration, ffmpeg, type Made, type Maker, sourceOf, type Work } from './work.ts';

const optionNames = ['preset', 'crf', 'audio_bitrate_kbps', 'hls_segment_seconds'] as const;

/** Encodes a format of the registry. */
export const makeFormat: Maker = async (work) => {
  const format =
    formatOf(work.format.format) ?? fail('encode_failed', { message: 'There is no such format.' });
  const source = await sourceOf(work);
  const why = inapplicable(format, source.info);
  if (why !== null) fail('encode_failed', { message: 'The format cannot be made of this file.' });
  const { job, limits } = work;
  const values = await Promise.all(optionNames.map(async (name) => [name, await job.setting(name)] as const));
  const options = Object.fromEntries(values) as unknown as EncodeOptions;
  const plan: EncodePlan = { source, options, limits, encoders: await job.get(Ffmpeg).encoders() };
  return format.container === 'hls' ? makeLadder(work, plan, format) : makeFile(work, plan, format);
};

async function makeFile(work: Work, plan: EncodePlan, format: Format): Promise<Made> {
  const output = path.join(work.folder, `out.${format.extension}`);
  await ffmpeg(work, encodeArguments(plan, format, output), plan.source.info);
  const made = await checkDuration(work, output, plan.source.info);
  return stored(work, format, { file: output }, facts(made));
}

/** Rung after rung, so that four encoders never share one memory. */
async function makeLadder(work: Work, plan: EncodePlan, format: Format): Promise<Made> {
  const { info } = plan.source;
  const shorter = Math.min(info.width ?? 0, info.height ?? 0);
  const fitting = rungs.filter((rung) => rung <= shorter);
  const wanted = fitting.length > 0 ? fitting : [rungs.at(-1) ?? 360];
  const tree = path.join(work.folder, 'tree');
  const made: Rung[] = [];
  for (const [at, rung] of wanted.entries()) {
    await mkdir(path.join(tree, String(rung)), { recursive: true });
    const share = { from: at / wanted.length, to: (at + 1) / wanted.length };
    await ffmpeg({ ...work, folder: tree }, rungArguments(plan, format, rung), info, share);
    made.push(await rungIn(work, plan, tree, rung));
  }
  await writeFile(path.join(tree, 'master.m3u8'), masterPlaylist(made));
  const [best] = made;
  return stored(work, format, { folder: tree }, { width: best?.width ?? null, height: best?.height ?? null });
}

async function rungIn(work: Work, plan: EncodePlan, tree: string, rung: number): Promise<Rung> {
  const folder = path.join(tree, String(rung));
  const listed = segmentsIn(await readFile(path.join(folder, 'index.m3u8'), 'utf8'));
  const segments = await Promise.all(
    listed.map(async ({ file, seconds }) => {
      const { size } = await stat(path.join(folder, path.basename(file)));
      return { seconds, bytes: size };
    }),
  );
  const total = segments.reduce((sum, { seconds }) => sum + seconds, 0);
  const { duration } = plan.source.info;
  if (Math.abs(total - duration) > Math.max(1, 0.02 * duration)) {
    fail('encode_failed', { message: 'The result is not as long as its source.' });
  }
  const [first] = listed;
  const info = await sampleOf(work, path.join(folder, path.basename(first?.file ?? '')));
  if (typeof info === 'string') return fail('encode_failed', { message: 'The result cannot be read.' });
  const codecs = [info.video_codecs, info.audio_codecs].filter((codec) => codec !== null).join(',');
  return { ...sizeIn(plan.source, rung), name: rung, codecs, frame_rate: info.frame_rate, segments };
}

/** What a segment is: copied out of its transport stream, which some builds of ffprobe cannot read. */
async function sampleOf(work: Work, segment: string): Promise<MediaInfo | MediaProblem> {
  const sample = path.join(work.folder, 'sample.mp4');
  await runFfmpeg({
    ...{ command: work.job.get(Ffmpeg).command, folder: work.folder, timeLimitMs: 60_000 },
    args: [
      '-hide_banner',
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-i',
      `file:${segment}`,
      '-c',
      'copy',
      `file:${sample}`,
    ],
    signal: work.job.signal,
    onProgress: () => undefined,
  });
  return work.job.get(MediaProbe).info(sample, work.job.signal);
}

/** What players ask of a file. */
const facts = ({ width, height, duration, bit_rate, video_codecs, audio_codecs }: MediaInfo) => ({
  ...{ width, height, duration, bit_rate, video_codecs, audio_codecs },
});

async function stored(
  work: Work,
  format: Format,
  content: { readonly file: string } | { readonly folder: string },
  meta: Readonly<Record<string, unknown>>,
): Promise<Made> {
  const { job, attachment } = work;
  const artifacts = job.get(PlaybackArtifacts);
  const { id, blog_id } = attachment.post;
  const extension = 'folder' in content ? null : format.extension;
  const name = extension === null ? format.key : `${format.key}.${extension}`;
  const one = await artifacts.store({ blogId: blog_id, attachmentId: id }, { content, name }, job.signal);
  return {
    stored: [one],
    commit: async (trx) => {
      const artifact = await artifacts.put(trx, one, {
        folder: 'sources',
        name: artifactName(attachment.filename, format.key, one.hash, extension),
        mime_type: format.mime_type,
        format_key: format.key,
        meta,
      });
      return artifact && { bytes: artifact.bytes, path: artifact.path };
    },
  };
}
