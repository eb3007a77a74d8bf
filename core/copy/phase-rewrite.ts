import type { Knex } from 'knex';
import type { MetaKeys } from '../content/meta-keys.ts';
import type { CopyContext, CopyPhaseRun } from './copy-context.ts';
import { IdLookup } from './copy-map-store.ts';
import { type CopyState, nextPhase } from './copy-state.ts';
import { followLater, type RowTexts, rowsToRewrite, writeRows } from './follow-table-store.ts';
import {
  linkPosts,
  linkTerms,
  type PostToRewrite,
  postsToRewrite,
  type TermToRewrite,
  termsToRewrite,
  writePosts,
  writeTerms,
} from './rewrite-content-store.ts';
import { type Rewriting, rewriteMeta } from './rewrite-meta.ts';
import { rewritePost } from './rewrite-post.ts';
import { wordsOfPost } from './site-texts.ts';
import { siteUrlMoves } from './site-url-moves.ts';
import { laterRefs, type TablePlan, textColumns } from './table-plan.ts';
import type { UrlMoves } from './url-moves.ts';

/** Terms, then posts, then table after table: what they say of each other and of the site becomes the copy's. */
export const rewriteCopy: CopyPhaseRun = (copy, state) => {
  if (state.part === '') return copy.step((trx) => rewriteTerms(trx, copy, state));
  if (state.part === 'posts') return copy.step((trx) => rewritePosts(trx, copy, state));
  const plan = copy.tables.find(({ table }) => state.part === table);
  if (!plan) return copy.step(async () => nextPhase(state));
  return copy.step((trx) => rewriteTable(trx, copy, state, plan));
};

const batchBehind = (blogId: number, after: number) => ({
  blogId,
  after,
  mostRows: 500,
  locked: false,
  only: null,
});

/** How the texts of a batch are asked about, and how they are then rewritten. */
function rewritings(
  ids: IdLookup,
  moves: UrlMoves,
): { readonly collect: Rewriting; readonly rewrite: Rewriting } {
  return {
    collect: { newId: ids.collect, urls: (text) => moves.collect(text) },
    rewrite: { newId: ids.answer, urls: (text) => moves.rewrite(text) },
  };
}

/** Rewrites each record of a batch; those that are not the very same afterwards. */
async function changedOf<T>(
  trx: Knex.Transaction,
  copy: CopyContext,
  state: CopyState,
  records: readonly T[],
  rewrite: (record: T, rewriting: Rewriting) => T,
): Promise<{ readonly changed: T[]; readonly replaced: number }> {
  const ids = new IdLookup();
  const moves = siteUrlMoves(copy, state);
  const both = rewritings(ids, moves);
  for (const record of records) rewrite(record, both.collect);
  await ids.read(trx, copy.job.id);
  await moves.read(trx);
  const changed = records.flatMap((record) => {
    const now = rewrite(record, both.rewrite);
    return now === record ? [] : [now];
  });
  return { changed, replaced: moves.replaced };
}

async function rewriteTerms(trx: Knex.Transaction, copy: CopyContext, state: CopyState): Promise<CopyState> {
  const { target, metaKeys, excludeMeta } = copy;
  const after = Number(state.after ?? 0);
  const terms = await termsToRewrite(trx, batchBehind(target.blog_id, after));
  const last = terms.at(-1)?.id;
  if (last === undefined) return { ...state, part: 'posts', after: null };
  const { changed, replaced } = await changedOf(trx, copy, state, terms, (term, rewriting) => {
    const meta = rewriteMeta(term.meta, metaKeys.of('term', term.taxonomy), excludeMeta, rewriting);
    const icon = rewriting.urls(term.icon);
    return meta === term.meta && icon === term.icon
      ? term
      : ({ ...term, meta, icon } satisfies TermToRewrite);
  });
  await writeTerms(trx, changed);
  await linkTerms(trx, { jobId: copy.job.id, target: target.blog_id, after, last });
  return { ...state, after: last, replacedUrls: state.replacedUrls + replaced };
}

async function rewritePosts(trx: Knex.Transaction, copy: CopyContext, state: CopyState): Promise<CopyState> {
  const { target, metaKeys, excludeMeta } = copy;
  const after = Number(state.after ?? 0);
  const posts = await postsToRewrite(trx, batchBehind(target.blog_id, after));
  const last = posts.at(-1)?.id;
  if (last === undefined) return { ...state, part: copy.tables[0]?.table ?? 'done', after: null };
  const { changed, replaced } = await changedOf(trx, copy, state, posts, (post, rewriting) =>
    rewritePost(post, registeredOf(metaKeys, post), excludeMeta, rewriting),
  );
  await writePosts(
    trx,
    changed.map((post) => ({ ...post, words: wordsOfPost(copy.writer, post) })),
  );
  await linkPosts(trx, { jobId: copy.job.id, target: target.blog_id, after, last });
  return { ...state, after: last, replacedUrls: state.replacedUrls + replaced };
}

const registeredOf = (metaKeys: MetaKeys, { type }: PostToRewrite) => metaKeys.of('post', type);

async function rewriteTable(
  trx: Knex.Transaction,
  copy: CopyContext,
  state: CopyState,
  plan: TablePlan,
): Promise<CopyState> {
  const { tables, target, job } = copy;
  const after = state.after as readonly string[] | null;
  const followed = after === null ? await followIn(trx, copy, state, plan) : state;
  const next = { ...followed, part: tables[tables.indexOf(plan) + 1]?.table ?? 'done', after: null };
  if (textColumns(plan).length === 0) return next;
  const rows = await rowsToRewrite(trx, plan, target.blog_id, after);
  const last = rows.at(-1)?.key;
  if (last === undefined) return next;
  job.signal.throwIfAborted();
  const { changed, replaced } = await changedOf(trx, copy, state, rows, withTexts);
  await writeRows(trx, plan, target.blog_id, changed);
  return { ...followed, after: last, replacedUrls: state.replacedUrls + replaced };
}

function withTexts(row: RowTexts, { urls }: Rewriting): RowTexts {
  const texts = row.texts.map((text) => text && urls(text));
  return texts.some((text, at) => text !== row.texts[at]) ? { ...row, texts } : row;
}

/** References to rows that were copied after these; rows that cannot be without one that has no copy go. */
async function followIn(
  trx: Knex.Transaction,
  copy: CopyContext,
  state: CopyState,
  plan: TablePlan,
): Promise<CopyState> {
  const later = laterRefs(plan, copy.tables);
  if (later.size === 0) return state;
  const ids = { jobId: copy.job.id, target: copy.target.blog_id };
  const gone = await followLater(trx, plan, later, ids);
  const rows = { ...state.copied.rows, [plan.table]: (state.copied.rows[plan.table] ?? 0) - gone };
  return { ...state, copied: { ...state.copied, rows } };
}
