import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '../api/actor.ts';
import { fail } from '../api/errors.ts';
import type { JobRun, PendingJob } from '../api/job.ts';
import { insertSite, readContext } from '../content/sites/new-site-store.ts';
import type { SiteAddresses } from '../content/sites/site-addresses.ts';
import { lockLabels } from '../content/sites/site-label-store.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { invalidParams } from '../http/input.ts';
import type { JobRow } from '../jobs/job-record.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { SiteState } from '../state/site-state.ts';
import type { State } from '../state/state.ts';
import { type CopyPayload, type CopyWish, copyFlags } from './copy-wish.ts';
import type { CopyAudit, CopyResult } from './finish-copy.ts';
import {
  abandonedTargets,
  copyGate,
  describeTarget,
  jobsOfTarget,
  lockSource,
  openCopyOf,
  type SourceFields,
} from './reserve-store.ts';
import { type CopyRules, noteFailure, type RunParts, runCopy } from './run-copy.ts';
import { SiteRemains } from './site-remains.ts';
import { freeAddress, removeReserved } from './target-store.ts';

export interface SiteCopiesParts extends Omit<RunParts, 'modules'> {
  readonly places: SiteAddresses;
  readonly settings: SettingsService;
  /** Asked for at each use: made after the services. */
  readonly state: () => State;
  readonly log: Logger;
}

/** How a module begins copies. */
export interface CopyBeginning {
  /** The type of the job, made by `siteCopyJob`. */
  readonly type: string;
  /** Slugs that the network keeps free, besides those that the host does. */
  readonly reserved: readonly string[];
  /** What the payload of the job shows beside source and target: every field as it will be, or those that were given. */
  readonly shows: 'effective' | 'given';
  /** The module whose settings rule over copies: `max_running`, `exclude_options`, `exclude_meta`. */
  readonly rules: string;
}

/** The most copies that run at once in a network where no setting says it. */
const usualAtOnce = 2;

/**
 * Sites as copies of others: the address is reserved together with the job, the job makes the copy batch by batch,
 * and it is there when it is whole. Whether the caller may is for the operation to ask.
 */
export class SiteCopies {
  readonly #parts: SiteCopiesParts;
  readonly #remains: SiteRemains;

  constructor(parts: SiteCopiesParts) {
    this.#parts = parts;
    this.#remains = new SiteRemains(parts.db, parts.storage);
  }

  /**
   * Reserves the copy's address and enqueues its job. The source must be a site of the actor's network.
   * @throws `site_not_found`, `user_not_found`, `term_not_found`, `site_slug_invalid`, `site_exists`;
   * `rest_invalid_param` naming `copy_modules`
   */
  async begin(trx: Knex.Transaction, actor: Actor, wish: CopyWish, how: CopyBeginning): Promise<JobRow> {
    const { network_id } = actor.site;
    if (wish.copy_modules && wish.copy_posts === false) {
      invalidParams({ copy_modules: 'needs copy_posts' });
    }
    const userId = wish.user_id ?? actor.user?.id ?? null;
    const context = userId === null ? null : await readContext(this.#parts.db, trx, network_id, userId);
    if (!context) return fail('user_not_found', { data: { params: ['user_id'] } });
    const labels = await lockLabels(trx, network_id, {
      status_id: wish.status_id ?? null,
      category_ids: wish.category_ids ?? [],
    });
    const source = await lockSource(trx, wish.source_blog_id);
    if (source?.network_id !== network_id) return fail('site_not_found');
    const fields = effective(
      wish,
      source,
      labels.categories.map(({ id }) => id),
    );
    const place = this.#parts.places.place(context, wish.slug, how.reserved);
    const { category_ids, ...row } = fields;
    const target = await insertSite(trx, { network_id, ...place, ...row, state: 'creating' }).catch(orTaken);
    await describeTarget(trx, target, { email: context.email, categoryIds: category_ids });
    const whole = { ...fields, slug: place.slug, user_id: context.user_id, ...copyFlags(wish) };
    return this.#enqueue(trx, actor, how, {
      source_blog_id: wish.source_blog_id,
      target_blog_id: target,
      ...(how.shows === 'effective' ? whole : given(wish)),
    });
  }

  async #enqueue(
    trx: Knex.Transaction,
    actor: Actor,
    { type, rules }: CopyBeginning,
    payload: CopyPayload,
  ): Promise<JobRow> {
    const { network_id, blog_id } = actor.site;
    const state = await this.#parts.state().within(trx, blog_id);
    const limit = this.#setting(rules, 'max_running', state) ?? usualAtOnce;
    return this.#parts.jobs().enqueue(trx, {
      type,
      payload: { ...payload },
      site: { blog_id: payload.source_blog_id, network_id },
      userId: actor.user?.id ?? null,
      startAfterSeconds: 0,
      gate: { name: copyGate(network_id), limit: Number(limit) },
    });
  }

  /** A setting that rules over copies; undefined where its module is not installed. */
  #setting(module: string, name: string, site: SiteState): unknown {
    const spec = this.#parts.state().modules.get(module)?.spec;
    return spec ? this.#parts.settings.value(spec, name, site) : undefined;
  }

  /** The id of the unfinished copy of which the site is source or target; null without one. */
  busy(sql: Knex, blogId: number): Promise<string | null> {
    return openCopyOf(sql, blogId);
  }

  /** The work of the job. @param rules as in `CopyBeginning` */
  async run(job: JobRun<CopyPayload>, rules: string, entry: CopyAudit): Promise<CopyResult> {
    const { modules } = this.#parts.state();
    return runCopy({ ...this.#parts, modules }, job, await this.#rules(job, rules), entry);
  }

  async #rules(job: JobRun<CopyPayload>, module: string): Promise<CopyRules> {
    const state = await this.#parts.state().read(job.site.blog_id);
    const names = (name: string) =>
      ((state && this.#setting(module, name, state)) as readonly string[] | undefined) ?? [];
    return { excludeOptions: names('exclude_options'), excludeMeta: names('exclude_meta') };
  }

  /** Removes what a failed or cancelled job made; its address is free then. */
  async undo(job: JobRun<CopyPayload>): Promise<void> {
    await noteFailure(job, { code: 'copy_failed', message: 'The copy failed.' });
    await this.#remains.clear(job.payload.target_blog_id, [job.id], (work) =>
      job.step(async (trx) => {
        await work(trx);
        return {};
      }),
    );
  }

  /** In the transaction that cancels a pending job: frees the address, and removes what was not begun. */
  async withdraw(trx: Knex.Transaction, { payload, cursor }: PendingJob<CopyPayload>): Promise<void> {
    const { target_blog_id: target } = payload;
    if (cursor === null) await removeReserved(trx, target);
    else await freeAddress(trx, target);
  }

  /** Removes sites in creation whose job has ended without doing so itself. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db } = this.#parts;
    for (const blogId of await abandonedTargets(db.knex)) {
      await this.#remains.clear(blogId, await jobsOfTarget(db.knex, blogId), (work) => {
        signal.throwIfAborted();
        return db.transaction(work);
      });
    }
  }
}

function effective(wish: CopyWish, source: SourceFields, categories: readonly number[]) {
  return {
    title: wish.title ?? source.title,
    description: wish.description ?? source.description,
    public: wish.public ?? source.public,
    status_id: wish.status_id === undefined ? source.status_id : wish.status_id,
    category_ids: wish.category_ids ? categories : source.category_ids,
    is_template: wish.is_template ?? false,
  };
}

const given = (wish: CopyWish) =>
  Object.fromEntries(
    Object.entries(wish).filter(([name, value]) => value !== undefined && name !== 'source_blog_id'),
  );

function orTaken(error: unknown): never {
  if (isUniqueViolation(error, 'sites_address')) fail('site_exists');
  throw error;
}
