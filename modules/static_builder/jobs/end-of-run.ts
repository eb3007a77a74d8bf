import { CodedError, isCoded, type JobRun, mayPass, StorageFull, TransientFailure } from '@lyceum/core';
import type { Build } from '../build.ts';
import { Builds } from '../builds.ts';
import type { BuildPayload } from './work.ts';

const prefix = 'svclms_static_builder_';

/** What the log calls a failure whose code says it otherwise. */
const steps: Readonly<Record<string, string>> = {
  too_large: 'build_too_large',
};

/**
 * Records why a run came to no end; what to throw. Where the trouble may pass, or another worker goes on, the state
 * stays as it is.
 */
export async function endOf(job: JobRun<BuildPayload>, build: Build, error: unknown): Promise<unknown> {
  if (job.signal.aborted) {
    await letGo(job, build, null);
    return job.signal.reason;
  }
  const trouble = troubleOf(error);
  if (trouble === 'database') {
    await letGo(job, build, 'database: it was away').catch(() => undefined);
    return error;
  }
  if (trouble !== null) {
    job.log.warn({ err: error }, 'a build cannot store its files');
    await letGo(job, build, trouble).catch(() => undefined);
    return new TransientFailure(trouble, {
      cause: new CodedError('svclms_static_builder_storage', {}),
    });
  }
  const builds = job.get(Builds);
  await job.step(async (trx) => {
    const now = await builds.parts.store.lock(trx, job.site.blog_id, build.id);
    if (now?.job_id !== job.id) return {};
    await builds.parts.logs.add(trx, build, [{ level: 'error', step: stepOf(error) }]);
    await builds.change(trx, build.id, { status: 'error', run_id: null });
    return {};
  });
  return error;
}

/** The worker leaves it of its own will: whoever takes it next knows that nobody was lost. */
async function letGo(
  job: JobRun<BuildPayload>,
  { id, run_id }: Build,
  trouble: string | null,
): Promise<void> {
  const { db, store } = job.get(Builds).parts;
  await db.transaction(async (trx) => {
    const now = await store.lock(trx, job.site.blog_id, id);
    if (now?.run_id !== run_id) return;
    await store.change(trx, id, trouble === null ? { run_id: null } : { run_id: null, trouble });
  });
}

/** `no_pages`, or with words behind it; an error of our own making says nothing of itself. */
function stepOf(error: unknown): string {
  if (!isCoded(error) || !error.code.startsWith(prefix)) return 'internal_error: the run failed unexpectedly';
  const word = error.code.slice(prefix.length);
  const step = steps[word] ?? word;
  return error.ownMessage === undefined ? step : `${step}: ${error.ownMessage}`;
}

/** SQLSTATE of a database without space or memory, or one that gave a statement up: worth another try. */
const shortOfMeans = /^5[378]/;
const ioErrors = /^E[A-Z]{2,}$/;

/** Whether it may pass; null for what will be the same the next time. */
function troubleOf(error: unknown): 'database' | string | null {
  if (isCoded(error)) return null;
  if (error instanceof StorageFull) return 'storage_full: there is no space for the files';
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (mayPass(error)) return 'database';
  if (shortOfMeans.test(code)) return 'database: it had no space, or no time';
  const isBucket = typeof error === 'object' && error !== null && '$metadata' in error;
  return isBucket || ioErrors.test(code) ? 'storage: the files could not be stored' : null;
}
