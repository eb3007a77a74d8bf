import type { CopyContext, CopyPhaseRun } from './copy-context.ts';
import { copyFile, transient } from './copy-file.ts';
import { type CopyState, nextPhase } from './copy-state.ts';
import { copyRows } from './copy-table-store.ts';
import { allEnded, tellSkipped, withSkipped } from './phase-files.ts';
import { nextRowWithFiles, type RowWithFiles } from './table-files-store.ts';
import { laterRefs, type TablePlan } from './table-plan.ts';

/** Files that are copied at once. */
const atOnce = 4;

/** The part of the phase, and the name of its limit. */
export const rowsOf = (table: string): string => `rows ${table}`;
const filesOf = (table: string): string => `files ${table}`;

/** Table after table: its rows, then the files that belong to them. */
export const copyModules: CopyPhaseRun = (copy, state) => {
  const plans = copy.tables;
  const plan = plans.find(({ table }) => state.part === rowsOf(table) || state.part === filesOf(table));
  if (!plan) {
    const [first] = plans;
    return copy.step(async () => (first ? { ...state, part: rowsOf(first.table) } : nextPhase(state)));
  }
  return state.part === filesOf(plan.table)
    ? copyRowFiles(copy, state, plan, plans)
    : copyTable(copy, state, plan, plans);
};

const copyTable = (
  copy: CopyContext,
  state: CopyState,
  plan: TablePlan,
  plans: readonly TablePlan[],
): Promise<CopyState> =>
  copy.step(async (trx) => {
    const { table, fileKeys, folder } = plan;
    const { rows, last } = await copyRows(trx, plan, laterRefs(plan, plans), {
      jobId: copy.job.id,
      source: copy.source.blog_id,
      target: copy.target.blog_id,
      after: state.after as readonly string[] | null,
      max: state.limits[rowsOf(table)] ?? 0,
    });
    if (last === null) {
      const hasFiles = fileKeys.length > 0 || folder !== null;
      return hasFiles ? { ...state, part: filesOf(table), after: null } : nextTable(state, plan, plans);
    }
    const before = state.copied.rows[table] ?? 0;
    const copied = { ...state.copied, rows: { ...state.copied.rows, [table]: before + rows } };
    return { ...state, after: last, done: state.done + rows, copied };
  });

function nextTable(state: CopyState, plan: TablePlan, plans: readonly TablePlan[]): CopyState {
  const next = plans[plans.indexOf(plan) + 1];
  return next ? { ...state, part: rowsOf(next.table), after: null } : nextPhase(state);
}

/** All files of one row; they lie under the same names below the new site, so they may be copied again. */
async function copyRowFiles(
  copy: CopyContext,
  state: CopyState,
  plan: TablePlan,
  plans: readonly TablePlan[],
): Promise<CopyState> {
  const found = await nextRowWithFiles(copy.db.knex, plan, copy.job.id, Number(state.after ?? 0));
  if (!found) return copy.step(async () => nextTable(state, plan, plans));
  const { files, bytes, failed } = await copyAll(copy, filesIn(copy, plan, found));
  for (const reason of failed) await tellSkipped(copy, found.old_id, reason);
  return copy.step(async () => {
    const copied = { ...state.copied, files: state.copied.files + files, bytes: state.copied.bytes + bytes };
    const now: CopyState = { ...state, after: found.old_id, copied };
    return failed.reduce((so, reason) => withSkipped(so, { old_id: found.old_id, reason }), now);
  });
}

interface Pair {
  readonly from: string;
  readonly to: string;
}

async function copyAll(copy: CopyContext, pairs: AsyncIterable<Pair>) {
  let files = 0;
  let bytes = 0;
  const failed: ('missing' | 'damaged')[] = [];
  const flush = async (batch: readonly Pair[]): Promise<void> => {
    const contentType = 'application/octet-stream';
    const { storage, job } = copy;
    const outcomes = await allEnded(
      batch.map((pair) => copyFile(storage, { ...pair, contentType, expected: null }, job.signal)),
    );
    for (const outcome of outcomes) {
      if (typeof outcome === 'string') failed.push(outcome);
      else {
        files += 1;
        bytes += outcome.bytes;
      }
    }
  };
  let batch: Pair[] = [];
  for await (const pair of pairs) {
    batch.push(pair);
    if (batch.length < atOnce) continue;
    await flush(batch);
    batch = [];
  }
  await flush(batch);
  return { files, bytes, failed };
}

/** Where the files of a row lie, and where their copies are to be. */
async function* filesIn(
  { source, target, storage }: CopyContext,
  { fileKeys, folder, ownId }: TablePlan,
  { row, new_id }: RowWithFiles,
): AsyncGenerator<Pair> {
  const [from, to] = [`sites/${source.blog_id}/`, `sites/${target.blog_id}/`];
  for (const column of fileKeys) {
    const key = row[column];
    if (typeof key === 'string' && key.startsWith(from))
      yield { from: key, to: `${to}${key.slice(from.length)}` };
  }
  if (folder === null) return;
  const old = `${from}${named(folder, row)}`;
  const now = `${to}${named(folder, { ...row, [ownId ?? '']: new_id })}`;
  try {
    for await (const { key } of storage.list(old)) yield { from: key, to: `${now}${key.slice(old.length)}` };
  } catch (error) {
    throw transient('The file storage failed.', error);
  }
}

/** The folder of a row, without a slash at its end. */
const named = (folder: string, row: Readonly<Record<string, unknown>>): string =>
  folder.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, (_whole, column: string) => String(row[column] ?? ''));
