import type { CopyContext } from './copy-context.ts';
import { readLimits } from './copy-limits-store.ts';
import type { CopyState } from './copy-state.ts';
import { tableLimits } from './copy-table-store.ts';
import { rowsOf } from './phase-modules.ts';

/** Fixes what will be copied, and counts it. */
export const startCopy = (copy: CopyContext): Promise<CopyState> =>
  copy.step(async (trx) => {
    const { source, flags, tables } = copy;
    const { limits: greatest, counts, now } = await readLimits(trx, source.blog_id);
    const limits: Record<string, number> = { ...greatest };
    let total = flags.copy_posts ? counts.post : 0;
    if (flags.copy_terms) total += counts.term;
    if (flags.copy_files) total += counts.attachment;
    for (const plan of tables) {
      const { rows, max } = await tableLimits(trx, plan, source.blog_id);
      limits[rowsOf(plan.table)] = max;
      total += rows;
    }
    return {
      ...{ phase: 'options', part: '', after: null, limits, counts, total, done: 0, startedAt: now },
      source: { domain: source.domain, path: source.path },
      copied: nothing,
      skipped: [],
      replacedUrls: 0,
    };
  });

const nothing = {
  ...{ posts: 0, terms: 0, attachments: 0, files: 0, mediaFiles: 0, bytes: 0, options: 0, users: 0 },
  rows: {},
};
