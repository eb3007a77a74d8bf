import { randomBytes } from 'node:crypto';
import {
  type Actor,
  audit,
  type Database,
  fail,
  type Jobs,
  type RecordWatch,
  type SiteRef,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { type Build, isActive, restingStatuses, revisionFolder, storageFolder, topicOf } from './build.ts';
import type { BuildChange, BuildStore } from './build-store.ts';
import type { CourseStore } from './course-store.ts';
import type { FileStore } from './file-store.ts';
import type { LogStore } from './log-store.ts';
import { orFail } from './or-fail.ts';
import type { PageCacheStore } from './page-cache-store.ts';
import type { PageStore } from './page-store.ts';
import type { ReferenceStore } from './reference-store.ts';
import type { RevisionStore } from './revision-store.ts';

/** Type of the job that builds. */
export const buildJob = 'static_builder.build';
/** Type of the job that removes files nobody needs. */
export const cleanJob = 'static_builder.clean';

/** How few builds run at once in the installation: all of them pass one gate. */
const gateName = 'static_builder.build';

export interface BuildsParts {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly watch: RecordWatch;
  readonly store: BuildStore;
  readonly logs: LogStore;
  readonly files: FileStore;
  readonly pages: PageStore;
  readonly courses: CourseStore;
  readonly cache: PageCacheStore;
  readonly revisions: RevisionStore;
  readonly references: ReferenceStore;
}

/** A build to be. */
export type NewBuild = Pick<Build, 'build_course_id' | 'config' | 'page_ids'> & {
  readonly favourite: boolean;
};

/** What an author may change of one. */
export type BuildEdit = Partial<NewBuild>;

/** What audit rows say of a build, in one order. */
const shownOf = ({
  build_course_id,
  config,
  page_ids,
}: Pick<Build, 'build_course_id' | 'config' | 'page_ids'>) => {
  const { course_name, api_type, course_id, version, course_comment, export_mode } = config;
  return {
    build_course_id,
    course_name,
    api_type,
    course_id,
    version,
    course_comment,
    export_mode,
    page_ids,
  };
};

/** What authors and hooks do to builds. Locks: the job of a build before the build, the build before the gate. */
export class Builds {
  readonly #parts: BuildsParts;

  constructor(parts: BuildsParts) {
    this.#parts = parts;
  }

  get parts(): BuildsParts {
    return this.#parts;
  }

  /** Tells whoever waits for the build. */
  tell(trx: Knex.Transaction, id: number): Promise<void> {
    return this.#parts.watch.tell(trx, topicOf(id));
  }

  /** Writes a change of a locked build and tells of it. */
  async change(trx: Knex.Transaction, id: number, change: BuildChange): Promise<Build> {
    const build = await this.#parts.store.change(trx, id, change);
    await this.tell(trx, id);
    return build;
  }

  /** @throws `svclms_static_builder_create_failed`, `svclms_static_builder_configure_failed` */
  async create(trx: Knex.Transaction, actor: Actor, { favourite, ...given }: NewBuild): Promise<Build> {
    const { store, courses } = this.#parts;
    const { blog_id } = actor.site;
    const token = randomBytes(16).toString('hex');
    const build = await orFail('svclms_static_builder_create_failed', () =>
      store.insert(trx, { ...given, blog_id, token, author_id: actor.user?.id ?? 0 }),
    );
    await orFail('svclms_static_builder_configure_failed', async () => {
      if (favourite) await courses.mark(trx, build);
      await this.#note(trx, actor, 'create', build, null, { ...shownOf(build), favourite });
      if (favourite) await this.#note(trx, actor, 'favourite', build, null, build.build_course_id);
    });
    return build;
  }

  /** Changes a locked build at which nobody works. @throws `svclms_static_builder_update_failed` */
  async edit(trx: Knex.Transaction, actor: Actor, before: Build, { favourite, ...given }: BuildEdit) {
    const { courses } = this.#parts;
    const isFavourite = (await courses.favourites(trx, [before])).has(before.id);
    const moves = given.build_course_id !== undefined && given.build_course_id !== before.build_course_id;
    const shall = favourite ?? (isFavourite && !moves);
    const wanted = { ...before, ...given };
    const changes = JSON.stringify(shownOf(wanted)) !== JSON.stringify(shownOf(before));
    if (!changes && shall === isFavourite) return before;
    return orFail('svclms_static_builder_update_failed', async () => {
      if (isFavourite && (moves || !shall)) await courses.unmark(trx, before);
      const configured_at = new Date().toISOString();
      const after = await this.change(trx, before.id, changes ? { ...given, configured_at } : {});
      if (shall && (moves || !isFavourite)) await courses.mark(trx, after);
      if (changes) await this.#note(trx, actor, 'update', after, shownOf(before), shownOf(after));
      if (shall !== isFavourite) await this.#note(trx, actor, 'favourite', after, isFavourite, shall);
      return after;
    });
  }

  /** Removes a locked build at which nobody works; its files go by a job. @throws `svclms_static_builder_delete_failed` */
  remove(trx: Knex.Transaction, actor: Actor, build: Build): Promise<void> {
    const { store, courses, jobs } = this.#parts;
    return orFail('svclms_static_builder_delete_failed', async () => {
      await courses.unmark(trx, build);
      await store.remove(trx, build.id);
      await jobs.enqueue(trx, cleaning(actor.site, build.id, { folder: storageFolder(build) }));
      await this.#note(trx, actor, 'delete', build, shownOf(build), null);
      await this.tell(trx, build.id);
    });
  }

  /**
   * Sends a locked build to the workers.
   * @throws `svclms_static_builder_busy`, `svclms_static_builder_page_cache_rebuild`, `svclms_static_builder_no_pages`
   */
  async run(trx: Knex.Transaction, actor: Actor, build: Build, concurrency: number): Promise<Build> {
    const { jobs, logs, pages } = this.#parts;
    refuseActive(build);
    if (!(await pages.hasAny(trx, build.blog_id, build.page_ids))) fail('svclms_static_builder_no_pages');
    const job = await jobs.enqueue(trx, {
      type: buildJob,
      payload: { blog_id: build.blog_id, build_id: build.id },
      site: actor.site,
      userId: actor.user?.id ?? null,
      startAfterSeconds: 0,
      gate: { name: gateName, limit: concurrency },
    });
    await logs.empty(trx, build.id);
    const fresh = { run_id: null, losses: 0, trouble: null, percent: 0, current: 0, total: 0 };
    const after = await this.change(trx, build.id, { ...fresh, status: 'pending', job_id: job.job_id });
    await this.#note(trx, actor, 'run', build, build.status, 'pending');
    return after;
  }

  /**
   * Asks for the end of a run. Whoever is at it notices, and ends it; where nobody is, it ends at once.
   * @throws `svclms_static_builder_not_found`, `svclms_static_builder_cannot_stop`
   */
  async stop(trx: Knex.Transaction, actor: Actor, seen: Build): Promise<Build> {
    const { build: before, isWithdrawn } = await this.#askToEnd(trx, seen);
    if (!before) return fail('svclms_static_builder_not_found');
    if (before.status === 'stopping') return before;
    if (isWithdrawn) {
      await this.#note(trx, actor, 'stop', before, seen.status, 'stopped');
      return before;
    }
    if (!isActive(before.status)) return fail('svclms_static_builder_cannot_stop');
    const status = before.status === 'pending' ? 'stopped' : 'stopping';
    const after = await this.change(trx, before.id, { status });
    await this.#note(trx, actor, 'stop', before, before.status, status);
    return after;
  }

  /** Ends the job that was seen, then locks the build. A job that nobody had ended the build with it: withdrawn. */
  async #askToEnd(trx: Knex.Transaction, { id, blog_id, job_id, status }: Build) {
    const asked = job_id !== null && isActive(status) ? await this.#parts.jobs.cancelIn(trx, job_id) : null;
    const build = await this.#parts.store.lock(trx, blog_id, id);
    return { build, isWithdrawn: asked?.status === 'cancelled' };
  }

  /** The module was switched off: whoever is at work stops. */
  async stopAt(trx: Knex.Transaction, of: (query: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<void> {
    for (const seen of await this.#parts.store.workedOn(trx, of)) {
      const { build } = await this.#askToEnd(trx, seen);
      if (!build || !['build', 'rebuild', 'building'].includes(build.status)) continue;
      await this.change(trx, build.id, { status: 'stopping' });
    }
  }

  /** A job that nobody had was cancelled: its build ends with it. */
  async withdraw(
    trx: Knex.Transaction,
    { blog_id, build_id }: { readonly blog_id: number; readonly build_id: number },
    jobId: string,
  ): Promise<void> {
    const { store, jobs, files, revisions } = this.#parts;
    const build = await store.lock(trx, blog_id, build_id);
    if (build?.job_id !== jobId || !isActive(build.status)) return;
    await this.change(trx, build.id, { status: 'stopped', run_id: null });
    if (build.status === 'pending') return;
    await files.drop(trx, build);
    await revisions.drop(trx, build);
    const site = await store.site(trx, blog_id);
    if (site)
      await jobs.enqueue(trx, cleaning(site, build.id, { folder: revisionFolder(build, build.revision) }));
  }

  #note(
    trx: Knex.Transaction,
    actor: Actor,
    action: string,
    { id }: Build,
    from: unknown,
    to: unknown,
  ): Promise<void> {
    const subject = `static_build:${id}`;
    return audit(trx, actor, {
      module: 'static_builder',
      action: `static_build.${action}`,
      subject,
      from,
      to,
    });
  }
}

/** A job that removes files: all below a folder, or what no revision up to this one needs. */
export const cleaning = (
  site: SiteRef,
  buildId: number,
  what: { readonly folder: string } | { readonly revision: number },
) => ({
  type: cleanJob,
  payload: { build_id: buildId, ...what },
  site: { blog_id: site.blog_id, network_id: site.network_id },
  userId: null,
  startAfterSeconds: 0,
});

/** @throws `svclms_static_builder_busy`, `svclms_static_builder_page_cache_rebuild` */
export function refuseActive({ status }: Build): void {
  if (status === 'rebuild') fail('svclms_static_builder_page_cache_rebuild');
  if (!(restingStatuses as readonly string[]).includes(status)) fail('svclms_static_builder_busy');
}
