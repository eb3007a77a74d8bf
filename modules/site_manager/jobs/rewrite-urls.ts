import {
  defineJob,
  type JobRun,
  type JobStep,
  Jobs,
  type MovedBatch,
  type MovedSite,
  MovedSites,
  type SiteRecord,
} from '@lyceum/core';
import type { Knex } from 'knex';
import type { SiteWork } from '../site-work.ts';

type RewriteRun = JobRun<MovedSite>;

const parts = ['posts', 'terms', 'options'] as const;
type Part = (typeof parts)[number];

/** How far the job is, and how many records of each part it changed. */
interface Cursor extends Readonly<Record<Part, number>> {
  readonly part: Part | 'done';
  readonly after: number | string | null;
  readonly seen: number;
  readonly urls: number;
}

const start: Cursor = { part: 'posts', after: null, seen: 0, posts: 0, terms: 0, options: 0, urls: 0 };

const cursorOf = (job: RewriteRun): Cursor => job.cursor<Cursor>() ?? start;

function batchOf(
  job: RewriteRun,
  trx: Knex.Transaction,
  part: Part,
  after: Cursor['after'],
): Promise<MovedBatch> {
  const moved = job.get(MovedSites);
  if (part === 'posts') return moved.posts(trx, job.payload, Number(after ?? 0));
  if (part === 'terms') return moved.terms(trx, job.payload, Number(after ?? 0));
  return moved.options(trx, job.payload, String(after ?? ''));
}

/** One batch of the part that the cursor is at. */
async function next(job: RewriteRun, trx: Knex.Transaction, part: Part, total: number): Promise<JobStep> {
  const before = cursorOf(job);
  const batch = await batchOf(job, trx, part, before.after);
  const following = parts[parts.indexOf(part) + 1] ?? 'done';
  const cursor: Cursor = {
    ...before,
    [part]: before[part] + batch.changed,
    part: batch.after === null ? following : part,
    after: batch.after,
    seen: before.seen + (part === 'posts' ? batch.seen : 0),
    urls: before.urls + batch.urls,
  };
  return { phase: part, current: cursor.seen, total: Math.max(total, cursor.seen), cursor };
}

function resultOf(job: RewriteRun) {
  const { posts, terms, options, urls } = cursorOf(job);
  return { posts, terms, options, urls };
}

async function run(job: RewriteRun) {
  const total = await job.get(MovedSites).countPosts(job.payload.blog_id);
  for (let { part } = cursorOf(job); part !== 'done'; { part } = cursorOf(job)) {
    const now = part;
    await job.step((trx) => next(job, trx, now, total));
  }
  return resultOf(job);
}

/** What a site says of its own old address becomes the new one. */
export const rewriteUrls = defineJob<MovedSite>({
  id: 'site_manager.rewrite_urls',
  title: "Rewrite a site's own URLs after a change of its address",
  run,
  // What is rewritten stays so; the last event tells how much that is.
  undo: async (job) => resultOf(job),
});

/** Enqueues the rewriting if the site has moved; part of the transaction that moved it. */
export async function enqueueRewrite(
  trx: Knex.Transaction,
  { get, actor }: Pick<SiteWork, 'get' | 'actor'>,
  before: { readonly domain: string; readonly path: string },
  { blog_id, network_id, domain, path }: SiteRecord,
): Promise<void> {
  if (before.domain === domain && before.path === path) return;
  await get(Jobs).enqueue(trx, {
    type: rewriteUrls.id,
    payload: { blog_id, from: { domain: before.domain, path: before.path } },
    site: { blog_id, network_id },
    userId: actor.user?.id ?? null,
    startAfterSeconds: 0,
  });
}
