import type { Knex } from 'knex';
import {
  type Batch,
  type CopiedBatch,
  copyAssignments,
  copyMembers,
  copyPostRows,
  copyTermRows,
} from './copy-content-store.ts';
import type { CopyContext, CopyPhaseRun } from './copy-context.ts';
import { type CopyState, nextPhase } from './copy-state.ts';

/** The next batch of records of a kind. */
export function batchOf({ job, source, target }: CopyContext, state: CopyState, kind: string): Batch {
  return {
    jobId: job.id,
    source: source.blog_id,
    target: target.blog_id,
    after: Number(state.after ?? 0),
    max: state.limits[kind] ?? 0,
  };
}

/** Memberships with their roles. */
export const copyUsers: CopyPhaseRun = (copy, state) =>
  copy.step(async (trx) => {
    if (!copy.flags.copy_users) return nextPhase(state);
    const { rows, last } = await copyMembers(trx, batchOf(copy, state, 'user'));
    if (last === null) return nextPhase(state);
    return { ...state, after: last, copied: { ...state.copied, users: state.copied.users + rows } };
  });

/** Terms of the site's taxonomies. */
export const copyTerms: CopyPhaseRun = (copy, state) =>
  copy.step(async (trx) => {
    if (!copy.flags.copy_terms) return nextPhase(state);
    return copied(state, 'terms', await copyTermRows(trx, batchOf(copy, state, 'term')));
  });

/** Posts of all types but attachments, with their assignments. */
export const copyPosts: CopyPhaseRun = (copy, state) =>
  copy.step(async (trx) => {
    if (!copy.flags.copy_posts) return nextPhase(state);
    return copied(state, 'posts', await copyWithTerms(trx, copy, batchOf(copy, state, 'post')));
  });

async function copyWithTerms(trx: Knex.Transaction, copy: CopyContext, batch: Batch): Promise<CopiedBatch> {
  const done = await copyPostRows(trx, batch);
  if (done.last !== null && copy.flags.copy_terms) await copyAssignments(trx, batch, 'post', done.last);
  return done;
}

function copied(state: CopyState, what: 'terms' | 'posts', { rows, last }: CopiedBatch): CopyState {
  if (last === null) return nextPhase(state);
  return {
    ...state,
    after: last,
    done: state.done + rows,
    copied: { ...state.copied, [what]: state.copied[what] + rows },
  };
}
