import {
  type Attachment,
  fail,
  type JobRun,
  type MediaInfo,
  MediaProbe,
  Storage,
  type StoredContent,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { Ffmpeg } from '../ffmpeg/ffmpeg.ts';
import { commonArguments, type FfmpegRun, runFfmpeg } from '../ffmpeg/run-ffmpeg.ts';
import type { Limits, Source } from '../ffmpeg/source-arguments.ts';
import { localSource } from '../local-source.ts';
import type { QueueFormat } from '../queue/entry.ts';

/** A format that is being made. */
export interface Work {
  readonly job: JobRun<unknown>;
  readonly format: QueueFormat;
  readonly attachment: Attachment;
  /** A folder of its own, gone when it ends. */
  readonly folder: string;
  readonly limits: Limits;
  /** Says how much of the whole is done, from 0 to 1. */
  readonly tell: (share: number, speed: number | null) => void;
}

/** What was made: content in the storage, and how it becomes visible. */
export interface Made {
  readonly stored: readonly StoredContent[];
  /** Null when the attachment is gone. */
  commit(
    trx: Knex.Transaction,
  ): Promise<{ readonly bytes: number | null; readonly path: string | null } | null>;
}

export type Maker = (work: Work) => Promise<Made>;

/**
 * The attachment's own file on this machine, and what it is.
 * @throws `source_missing`, `encode_failed`
 */
export async function sourceOf({ job, attachment, folder }: Work): Promise<Source> {
  const { file_key } = attachment;
  if (file_key === null) return fail('source_missing');
  const file = await localSource(job.get(Storage), file_key, folder, job.signal);
  if (file === null) return fail('source_missing');
  const info = attachment.media_info ?? (await job.get(MediaProbe).info(file, job.signal));
  if (typeof info === 'string') return fail('encode_failed', { message: 'The file cannot be read.' });
  return { file, info };
}

/** Shares of the whole that one ffmpeg of several stands for. */
export interface Share {
  readonly from: number;
  readonly to: number;
}

const whole: Share = { from: 0, to: 1 };

const leastLimitMs = 600_000;

/**
 * Runs ffmpeg for a format.
 * @throws `encode_failed`, `encode_timeout`, `disk_full`, the reason of the signal
 */
export async function ffmpeg(
  work: Work,
  args: readonly string[],
  info: MediaInfo,
  share: Share = whole,
): Promise<void> {
  const { job, folder } = work;
  const factor = await job.setting<number>('timeout_factor');
  const onProgress: FfmpegRun['onProgress'] = ({ seconds, speed }) => {
    const done = Math.min(1, seconds / info.duration);
    work.tell(share.from + done * (share.to - share.from), speed);
  };
  const ended = await runFfmpeg({
    ...{ command: job.get(Ffmpeg).command, args: [...commonArguments, ...args], folder, onProgress },
    timeLimitMs: Math.max(leastLimitMs, factor * info.duration * 1000),
    signal: job.signal,
  });
  if (ended.kind === 'late') fail('encode_timeout');
  if (ended.kind === 'failed') refuse(ended.line, work.folder);
}

/** The last line that ffmpeg said, without the paths of this machine. */
function refuse(line: string, folder: string): never {
  if (line.includes('No space left on device')) fail('disk_full');
  const plain = line
    .replaceAll(folder, '')
    .replaceAll(/(?:file:)?\/[^\s'",:]+/g, 'file')
    .replaceAll(/ @ 0x[0-9a-f]+/g, '')
    .slice(0, 300);
  fail('encode_failed', { message: plain || 'ffmpeg ended without a word.' });
}

/**
 * What was made is as long as its source.
 * @throws `encode_failed`
 */
export async function checkDuration(work: Work, file: string, source: MediaInfo): Promise<MediaInfo> {
  const made = await work.job.get(MediaProbe).info(file, work.job.signal);
  if (typeof made === 'string') return fail('encode_failed', { message: 'The result cannot be read.' });
  const differs = Math.abs(made.duration - source.duration);
  if (differs > Math.max(1, 0.02 * source.duration)) {
    fail('encode_failed', { message: 'The result is not as long as its source.' });
  }
  return made;
}
