import { CodedError, isCoded } from '../api/errors.ts';
import { type JobRun, TransientFailure } from '../api/job.ts';
import { findSite } from '../content/sites/site-store.ts';
import { mayPass } from '../db/sql-errors.ts';
import { RunLost } from '../jobs/job-store.ts';
import type { CopyContext, CopyPhaseRun, CopyServices } from './copy-context.ts';
import { transient } from './copy-file.ts';
import { sourceIsThere } from './copy-limits-store.ts';
import type { CleaningUp, CopyPhase, CopyState } from './copy-state.ts';
import { type CopyPayload, copyFlags } from './copy-wish.ts';
import { type CopyAudit, type CopyResult, type FinishParts, finishCopy } from './finish-copy.ts';
import { NamePatterns } from './name-patterns.ts';
import { checkCopy } from './phase-check.ts';
import { copyFiles } from './phase-files.ts';
import { copyModules } from './phase-modules.ts';
import { copyOptions } from './phase-options.ts';
import { copyPosts, copyTerms, copyUsers } from './phase-records.ts';
import { rewriteCopy } from './phase-rewrite.ts';
import { startCopy } from './start-copy.ts';
import { tablePlans } from './table-plans.ts';
import { findTarget } from './target-store.ts';

/** What settings say about copies. */
export interface CopyRules {
  readonly excludeOptions: readonly string[];
  readonly excludeMeta: readonly string[];
}

export interface RunParts extends CopyServices, FinishParts {}

const phases: Readonly<Record<Exclude<CopyPhase, 'finish'>, CopyPhaseRun>> = {
  options: copyOptions,
  users: copyUsers,
  terms: copyTerms,
  posts: copyPosts,
  files: copyFiles,
  modules: copyModules,
  rewrite: rewriteCopy,
  check: checkCopy,
};

const messages: Readonly<Record<CopyPhase, string>> = {
  options: 'Copying options.',
  users: 'Copying memberships.',
  terms: 'Copying terms.',
  posts: 'Copying posts.',
  files: 'Copying files.',
  modules: 'Copying what modules keep.',
  rewrite: 'Rewriting ids and addresses.',
  check: 'Checking the copy.',
  finish: 'Opening the copy.',
};

/**
 * Makes the copy, or goes on where an earlier run ended. What fails it for good is noted before it is thrown, so
 * that a clean-up that is interrupted goes on as one.
 */
export async function runCopy(
  parts: RunParts,
  job: JobRun<CopyPayload>,
  rules: CopyRules,
  entry: CopyAudit,
): Promise<CopyResult> {
  const kept = job.cursor<CopyState | CleaningUp>();
  if (kept?.phase === 'clean-up') throw new CodedError(kept.failure.code, { message: kept.failure.message });
  try {
    const copy = await openCopy(parts, job, rules);
    let state = kept ?? (await startCopy(copy));
    while (state.phase !== 'finish') state = await phases[state.phase](copy, state);
    return await finishCopy(parts, copy, state, entry);
  } catch (error) {
    const failure = failureOf(job, error);
    if (isCoded(failure)) await noteFailure(job, failure);
    throw failure;
  }
}

/** What undoing a copy begins with: whoever goes on with the job knows that there is nothing to go on with. */
export async function noteFailure(
  job: JobRun<CopyPayload>,
  failure: { readonly code: string; readonly message: string },
): Promise<void> {
  if (job.cursor<CopyState | CleaningUp>()?.phase === 'clean-up') return;
  const { code, message } = failure;
  const cursor: CleaningUp = { phase: 'clean-up', failure: { code, message } };
  await job.step(async () => ({ phase: 'clean-up', message: 'Removing what was copied.', cursor }));
}

function failureOf(job: JobRun<CopyPayload>, error: unknown): unknown {
  if (job.signal.aborted || error instanceof RunLost || error instanceof TransientFailure) return error;
  if (mayPass(error)) return transient('The database failed.', error);
  if (isCoded(error)) return error;
  job.log.error({ err: error }, 'a copy of a site failed');
  return new CodedError('copy_failed', { message: 'The copy failed unexpectedly.', cause: error });
}

async function openCopy(parts: RunParts, job: JobRun<CopyPayload>, rules: CopyRules): Promise<CopyContext> {
  const { source_blog_id, target_blog_id } = job.payload;
  const source = (await findSite(parts.db, source_blog_id)) ?? gone();
  const target = await findTarget(parts.db.knex, target_blog_id);
  if (!target) throw new CodedError('copy_failed', { message: 'The copy was removed while it was made.' });
  const flags = copyFlags(job.payload);
  const userId = job.payload.user_id ?? job.userId;
  if (userId === null) throw new Error('The copy has nobody to run it.');
  return {
    ...parts,
    ...{ job, source, target, flags, userId },
    excludeOptions: new NamePatterns(rules.excludeOptions),
    excludeMeta: new NamePatterns(rules.excludeMeta),
    tables: await tablePlans({ ...parts, flags }),
    step: (work) => stepOf(job, source_blog_id, work),
  };
}

async function stepOf(
  job: JobRun<CopyPayload>,
  source: number,
  work: Parameters<CopyContext['step']>[0],
): Promise<CopyState> {
  let state: CopyState | null = null;
  await job.step(async (trx) => {
    if (!(await sourceIsThere(trx, source))) gone();
    const next = await work(trx);
    state = next;
    const { phase, done, total } = next;
    return { phase, current: Math.min(done, total), total, message: messages[phase], cursor: next };
  });
  if (state === null) throw new Error('The step left no state.');
  return state;
}

function gone(): never {
  throw new CodedError('source_gone', { message: 'The source of the copy is gone.' });
}
