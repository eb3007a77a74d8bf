import type { Knex } from 'knex';
import { CodedError } from '../api/errors.ts';
import type { Memberships } from '../auth/membership-store.ts';
import type { ModuleHooks } from '../boot/module-hooks.ts';
import { readContext } from '../content/sites/new-site-store.ts';
import { enqueueWelcome } from '../content/sites/welcome-mail.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { audit } from '../state/audit.ts';
import { bumpRevision } from '../state/site-state.ts';
import type { CopyContext } from './copy-context.ts';
import type { CopyState, SkippedFile } from './copy-state.ts';
import { findActorUser, lockTarget, markTargetReady } from './target-store.ts';

export interface FinishParts {
  readonly hooks: ModuleHooks;
  readonly memberships: Memberships;
  /** Asked for at each use: made after the services. */
  readonly jobs: () => Jobs;
}

/** The audit row that a finished copy writes. */
export interface CopyAudit {
  readonly module: string;
  readonly action: string;
}

/** What became of a copy: the result of its job. */
export interface CopyResult extends Readonly<Record<string, unknown>> {
  readonly blog_id: number;
  readonly site_url: string;
  readonly copied: {
    readonly posts: number;
    readonly terms: number;
    readonly attachments: number;
    readonly files: number;
    readonly bytes: number;
    readonly options: number;
    readonly users: number;
    /** Rows by module. */
    readonly modules: Readonly<Record<string, number>>;
  };
  readonly skipped_files: readonly SkippedFile[];
  readonly replaced_urls: number;
}

/** In one transaction with the end of the job: from then on the copy is there, and whole. */
export async function finishCopy(
  parts: FinishParts,
  copy: CopyContext,
  state: CopyState,
  entry: CopyAudit,
): Promise<CopyResult> {
  return copy.job.finish(async (trx) => {
    await open(trx, parts, copy, entry);
    return resultOf(copy, state);
  });
}

/** Opens the site to its administrator, and greets him by mail if the network wants that. */
async function open(
  trx: Knex.Transaction,
  { hooks, memberships, jobs }: FinishParts,
  copy: CopyContext,
  entry: CopyAudit,
): Promise<void> {
  const { db, target, source, flags, job, userId } = copy;
  const { blog_id, network_id } = target;
  const context = await readContext(db, trx, network_id, userId);
  if (!context) throw failed('The user who was to run the copy exists no more.');
  if (!(await lockTarget(trx, blog_id))) throw failed('The copy was removed while it was made.');
  await markTargetReady(trx, blog_id);
  await memberships.set(trx, blog_id, userId, 'administrator');
  await hooks.site(trx, 'onSiteCreated', { blog_id, network_id });
  const user = await findActorUser(trx, job.userId);
  await audit(
    trx,
    { site: { blog_id, network_id }, user, ip: null, requestId: null },
    {
      ...entry,
      subject: `site:${blog_id}`,
      from: { source_blog_id: source.blog_id },
      to: { target_blog_id: blog_id, user_id: userId, ...flags },
    },
  );
  await bumpRevision(trx);
  await enqueueWelcome(jobs(), trx, { blog_id, network_id }, context);
}

const failed = (message: string): CodedError => new CodedError('copy_failed', { message });

function resultOf({ addresses, target, tables }: CopyContext, state: CopyState): CopyResult {
  const { posts, terms, attachments, files, bytes, options, users, rows } = state.copied;
  const modules: Record<string, number> = {};
  // What goes with the files is told with the files.
  const kept = tables.filter((plan) => plan.with === 'modules');
  for (const { module, table } of kept) modules[module] = (modules[module] ?? 0) + (rows[table] ?? 0);
  return {
    blog_id: target.blog_id,
    site_url: addresses.site(target),
    copied: { posts, terms, attachments, files, bytes, options, users, modules },
    skipped_files: state.skipped,
    replaced_urls: state.replacedUrls,
  };
}
