import {
  CapabilityTable,
  Database,
  defineJob,
  ErrorMapper,
  fail,
  type JobRun,
  type JobStep,
  type SiteChange,
  SuperAdmins,
  Users,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { changeWithin } from '../change-site.ts';
import { MemberStore } from '../member-store.ts';
import { removeSite } from '../remove-site.ts';
import type { SiteWork } from '../site-work.ts';

/** What may be done to many sites at once. */
export const bulkActions = ['update', 'archive', 'unarchive', 'activate', 'deactivate', 'delete'] as const;

/** What is to be done to which sites, in their order. */
export interface BulkPayload {
  readonly blog_ids: readonly number[];
  readonly action: (typeof bulkActions)[number];
  /** Only with `update`. */
  readonly patch?: SiteChange;
  /** Only with `delete`. */
  readonly drop_tables?: boolean;
}

interface FailedSite {
  readonly blog_id: number;
  readonly code: string;
  readonly message: string;
}

/** What came of it so far; the job's result, and its cursor on the way there. */
interface BulkResult {
  readonly succeeded: readonly number[];
  readonly failed: readonly FailedSite[];
  readonly total: number;
  readonly processed: number;
}

type BulkRun = JobRun<BulkPayload>;

const soFar = (job: BulkRun): BulkResult =>
  job.cursor<BulkResult>() ?? {
    succeeded: [],
    failed: [],
    total: job.payload.blog_ids.length,
    processed: 0,
  };

/** The single routes that `update` and `delete` are not: their audit word and what they change. */
const flags = {
  archive: { archived: 1 },
  unarchive: { archived: 0 },
  activate: { public: 1 },
  deactivate: { public: 0 },
} as const satisfies Readonly<Record<string, SiteChange>>;

/** Whoever enqueued the job, as he stands now: he may have lost his rights, or be gone. */
async function workOf(job: BulkRun): Promise<SiteWork> {
  const { site } = job;
  const user =
    job.userId === null ? null : await job.get(Users).find(job.get(Database).knex, site, job.userId);
  return {
    actor: { site, user: user && { id: user.id, login: user.login }, ip: null, requestId: null },
    get: (token) => job.get(token),
    reserved: await job.setting<string[]>('reserved_slugs'),
    main: site,
  };
}

/** @throws `rest_forbidden` unless the single route would let the user act on this site at this moment */
async function checkRights(
  trx: Knex.Transaction,
  { actor, get }: SiteWork,
  action: BulkPayload['action'],
  blogId: number,
): Promise<void> {
  const { user, site } = actor;
  if (!user) return fail('rest_forbidden');
  const superAdmin = await get(SuperAdmins).is(trx, site.network_id, user.id);
  const capabilities = get(CapabilityTable);
  if (capabilities.holds(null, superAdmin, 'manage_network')) return;
  if (action !== 'deactivate') fail('rest_forbidden');
  const role = await get(MemberStore).role(trx, site.network_id, blogId, user.id);
  if (!capabilities.holds(role, superAdmin, 'delete_sites')) fail('rest_forbidden');
}

async function actOn(
  trx: Knex.Transaction,
  work: SiteWork,
  { action, patch, drop_tables }: BulkPayload,
  blogId: number,
): Promise<void> {
  await checkRights(trx, work, action, blogId);
  if (action === 'delete') await removeSite(trx, work, blogId, drop_tables ?? true);
  else
    await changeWithin(
      trx,
      work,
      blogId,
      `site.${action}`,
      action === 'update' ? (patch ?? {}) : flags[action],
    );
}

/** Deadlocks and lost connections pass: the same site is tried again. Everything else is the site's result. */
function failureOf(job: BulkRun, error: unknown, blogId: number): FailedSite {
  const described = job.get(ErrorMapper).describe(error);
  if (described?.code === 'database_unavailable') throw error;
  if (described) return { blog_id: blogId, ...described };
  job.log.error({ err: error, blog_id: blogId }, 'a site was left out');
  return { blog_id: blogId, code: 'internal_error', message: 'Something went wrong.' };
}

/** The next site, in a savepoint of the step's transaction: what it did and that it is done come together. */
async function next(job: BulkRun, work: SiteWork, trx: Knex.Transaction): Promise<JobStep> {
  const before = soFar(job);
  const blogId = job.payload.blog_ids[before.processed] as number;
  const failure = await trx
    .transaction((savepoint) => actOn(savepoint, work, job.payload, blogId))
    .then(
      () => null,
      (error: unknown) => failureOf(job, error, blogId),
    );
  const processed = before.processed + 1;
  const cursor: BulkResult = {
    succeeded: failure ? before.succeeded : [...before.succeeded, blogId],
    failed: failure ? [...before.failed, failure] : before.failed,
    total: before.total,
    processed,
  };
  const message = `${processed} of ${before.total} sites.`;
  return { phase: 'bulk', current: processed, total: before.total, message, cursor };
}

/** Acts on many sites, each in its own transaction under the rules of its single route. */
export const bulk = defineJob<BulkPayload>({
  id: 'site_manager.bulk',
  title: 'Act on many sites',
  run: async (job) => {
    while (soFar(job).processed < soFar(job).total) {
      const work = await workOf(job);
      await job.step((trx) => next(job, work, trx));
    }
    return { ...soFar(job) };
  },
  // What is done stays done; the last event tells how much that is.
  undo: async (job) => ({ ...soFar(job) }),
});
