import { CodedError } from '../api/errors.ts';
import type { CopyPhaseRun } from './copy-context.ts';
import { countMissed, countTarget } from './copy-limits-store.ts';
import { forgetMap } from './copy-map-store.ts';
import { nextPhase } from './copy-state.ts';
import { countRows } from './copy-table-store.ts';

/** Counts the copy against the source; then forgets which record became which. */
export const checkCopy: CopyPhaseRun = (copy, state) =>
  copy.step(async (trx) => {
    const { job, source, target, flags, tables } = copy;
    if (state.part === 'map') return (await forgetMap(trx, job.id)) ? state : nextPhase(state);
    const { copied, limits, counts, startedAt } = state;
    const found = await countTarget(trx, target.blog_id);
    const wrong: string[] = [];
    const compare = (what: string, has: number, wanted: number): void => {
      if (has !== wanted) wrong.push(`${what}: ${has} instead of ${wanted}`);
    };
    compare('posts', found.post, copied.posts);
    compare('attachments', found.attachment, copied.attachments);
    compare('files', found.file, copied.mediaFiles);
    compare('terms', found.term, copied.terms);
    for (const { table } of tables) {
      compare(table, await countRows(trx, table, target.blog_id), copied.rows[table] ?? 0);
    }
    const question = { jobId: job.id, source: source.blog_id, startedAt };
    const kinds = [
      ...(flags.copy_posts ? ([['post', copied.posts]] as const) : []),
      ...(flags.copy_files ? ([['attachment', copied.attachments]] as const) : []),
      ...(flags.copy_terms ? ([['term', copied.terms]] as const) : []),
    ];
    for (const [kind, has] of kinds) {
      // Where all that was to be seen at the start is there, what is missed was committed later, its id older than it.
      if (has >= counts[kind]) continue;
      compare(`missed (${kind})`, await countMissed(trx, question, limits, kind), 0);
    }
    if (wrong.length === 0) return { ...state, part: 'map' };
    throw new CodedError('copy_incomplete', { message: `The copy is not whole: ${wrong.join('; ')}.` });
  });
