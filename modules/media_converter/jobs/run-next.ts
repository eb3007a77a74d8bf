import {
  Attachments,
  CodedError,
  fail,
  isCoded,
  type JobRun,
  PlaybackArtifacts,
  StorageFull,
  TransientFailure,
  WorkFolders,
} from '@lyceum/core';
import type { JobType, QueueFormat } from '../queue/entry.ts';
import { type Ended, MediaQueue } from '../queue/media-queue.ts';
import type { Made, Maker, Work } from './work.ts';

/** A full disk may be emptied: that many starts. */
const mostStarts = 3;

const betweenTellsMs = 1_000;

/** Makes whatever waits longest on the job's site. What becomes of it stands in the queue, not in the job. */
export const runNext =
  (type: JobType, make: Maker) =>
  async (job: JobRun<unknown>): Promise<Readonly<Record<string, unknown>>> => {
    const queue = job.get(MediaQueue);
    let taken: QueueFormat | null = null;
    await job.step(async (trx) => {
      taken = await queue.begin(trx, job, type, job.cursor<number>());
      return { cursor: (taken as QueueFormat | null)?.id ?? null, message: 'Encoding.' };
    });
    const format = taken as QueueFormat | null;
    if (format === null) return { done: false };
    try {
      return await makeIt(job, format, make);
    } catch (error) {
      return await ended(job, format, error);
    }
  };

async function makeIt(job: JobRun<unknown>, format: QueueFormat, make: Maker) {
  const attachment = await job.get(Attachments).find(job.site.blog_id, format.attachment_id);
  if (!attachment?.file_key || attachment.post.status === 'trash') return fail('source_missing');
  const limits = {
    threads: await job.setting<number>('threads'),
    maxPixels: await job.setting<number>('max_pixels'),
  };
  return job.get(WorkFolders).use(async (folder) => {
    const { tell, settled } = teller(job, format);
    const work: Work = { job, format, attachment, folder, limits, tell };
    const made = await make(work).finally(settled);
    let isShown = false;
    try {
      const result = await show(job, work, made);
      isShown = result.done;
      return result;
    } finally {
      if (!isShown) for (const one of made.stored) await job.get(PlaybackArtifacts).takeBack(one);
    }
  });
}

/** The switch: what was made is seen, the format and the job are done, or none of it. */
async function show(job: JobRun<unknown>, { format, attachment }: Work, made: Made) {
  const queue = job.get(MediaQueue);
  return job.finish(async (trx) => {
    const now = await job.get(Attachments).lock(trx, job.site.blog_id, attachment.post.id);
    if (!(await queue.isStill(trx, format))) return { done: false };
    const replaced = {
      code: 'source_missing',
      message: 'The file of the attachment was replaced meanwhile.',
    };
    if (now && now.file_key !== attachment.file_key) {
      await queue.end(trx, format, { status: 'failed', error: replaced });
      return { done: false };
    }
    const shown = await made.commit(trx);
    await queue.end(trx, format, shown ? { status: 'completed', ...shown } : { status: 'cancelled' });
    return { done: shown !== null, format: format.format };
  });
}

/** Progress is written once in a second at most, and never waited for. */
function teller(job: JobRun<unknown>, format: QueueFormat) {
  const queue = job.get(MediaQueue);
  const began = performance.now();
  let writing: Promise<void> = Promise.resolve();
  let isBusy = false;
  let last = 0;
  const tell: Work['tell'] = (share, speed) => {
    const now = performance.now();
    if (isBusy || job.signal.aborted || now - last < betweenTellsMs) return;
    last = now;
    isBusy = true;
    const spent = (now - began) / 1000;
    const eta = share > 0.001 ? Math.round((spent * (1 - share)) / share) : null;
    writing = queue
      .progress(format, { percent: Math.floor(100 * share), speed, eta })
      .catch((error: unknown) => job.log.warn({ err: error }, 'progress was not written'))
      .finally(() => {
        isBusy = false;
      });
  };
  return { tell, settled: () => writing };
}

/** A run that did not come to its end. */
async function ended(
  job: JobRun<unknown>,
  format: QueueFormat,
  error: unknown,
): Promise<never | { done: false }> {
  const queue = job.get(MediaQueue);
  if (job.signal.aborted) {
    // A cancelled format has its status already; one that another worker has is not this run's any more.
    await queue.release(format);
    throw job.signal.reason;
  }
  const failure = failureOf(error);
  if (failure === null) {
    await queue.release(format);
    throw error;
  }
  if (failure.code === 'disk_full' && format.attempts < mostStarts) {
    await queue.release(format);
    throw new TransientFailure(failure.message, { cause: new CodedError('disk_full', {}) });
  }
  if (failure.code === 'encode_failed' && !isCoded(error)) job.log.error({ err: error }, 'encoding failed');
  const failed: Ended = { status: 'failed', error: failure };
  await job.step(async (trx) => {
    await queue.end(trx, format, failed);
    return {};
  });
  return { done: false };
}

const connection = /^(57|08|40|ECONN)/;

/** What the queue says of a failure; null for one of the database, which passes. */
function failureOf(error: unknown): { readonly code: string; readonly message: string } | null {
  if (error instanceof StorageFull || codeOf(error) === 'ENOSPC') {
    return { code: 'disk_full', message: 'There is no space for the result.' };
  }
  if (isCoded(error))
    return { code: error.code, message: error.ownMessage ?? messages[error.code] ?? error.code };
  if (connection.test(codeOf(error))) return null;
  return { code: 'encode_failed', message: 'The encoding failed unexpectedly.' };
}

const messages: Readonly<Record<string, string>> = {
  encode_timeout: 'The encoding took too long.',
  source_missing: 'The file of the attachment is missing.',
  disk_full: 'There is no space for the result.',
};

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
