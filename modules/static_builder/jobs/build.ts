import { defineJob, fail, type JobRun, Storage } from '@lyceum/core';
import { type Build, isActive, revisionFolder } from '../build.ts';
import { Builds, buildJob } from '../builds.ts';
import type { errors } from '../errors.ts';
import type { RevisionPage } from '../revision-store.ts';
import { collectPackages } from './bound-packages.ts';
import { MediaCollection } from './collect-media.ts';
import { endOf } from './end-of-run.ts';
import { type Published, publish } from './publish.ts';
import { renderPages } from './render-pages.ts';
import { takeBuild } from './take-build.ts';
import { type BuildPayload, Work } from './work.ts';
import { writeDocuments } from './write-documents.ts';
import { writePlayer } from './write-player.ts';
import { writeZip } from './write-zip.ts';

const failures = [
  'svclms_static_builder_no_pages',
  'svclms_static_builder_too_large',
  'svclms_static_builder_interrupted',
  'svclms_static_builder_storage',
  'svclms_static_builder_invalid_manifest',
] as const satisfies readonly (keyof typeof errors)[];

/** Builds a course. What it did stands in rows of the revision, so whoever goes on with it looks there. */
export const build = defineJob<BuildPayload>({
  id: buildJob,
  title: 'Build a course',
  errors: failures,
  // Three tries where storage or database are away.
  retryAfterSeconds: [2, 4],
  run: async (job) => {
    const taken = await takeBuild(job);
    if (taken.kind === 'none') return { done: false };
    if (taken.kind === 'failed') {
      await removeFiles(job, taken.build);
      return fail('svclms_static_builder_interrupted');
    }
    try {
      return await make(await Work.begin(job, taken.build, taken.settings));
    } catch (error) {
      throw await endOf(job, taken.build, error);
    }
  },
  undo: async (job) => {
    const ended = await endBuild(job);
    if (ended) await removeFiles(job, ended);
  },
  withdraw: ({ id, payload }, { trx, get }) => get(Builds).withdraw(trx, payload, id),
});

async function make(work: Work): Promise<Published> {
  const pages = await renderAll(work);
  const media = new MediaCollection(work);
  const packages = await collectPackages(work, pages);
  await media.collectFiles(packages);
  await media.collectExternal();
  await writeDocuments(work, pages, packages);
  await writePlayer(work, pages);
  return publish(work, work.isLive ? null : await writeZip(work));
}

async function renderAll(work: Work): Promise<RevisionPage[]> {
  const {
    build: { id, status, page_ids },
    parts,
    job,
  } = work;
  if (status !== 'building') {
    const rendered = await renderPages(work);
    if (rendered === 0) fail('svclms_static_builder_no_pages');
    await work.step({
      ...{ phase: 'media', current: 0, total: 0 },
      write: (trx) => job.get(Builds).change(trx, id, { status: 'building' }),
    });
  }
  return parts.revisions.pages(work.sql, work.now, 0, page_ids.length);
}

/** Ends a build whose job was cancelled or failed for good; null when it is no longer this job's. */
async function endBuild(job: JobRun<BuildPayload>): Promise<Build | null> {
  const builds = job.get(Builds);
  let ended: Build | null = null;
  await job.step(async (trx) => {
    const found = await builds.parts.store.lock(trx, job.site.blog_id, job.payload.build_id);
    if (found?.job_id !== job.id) return {};
    ended = found;
    if (isActive(found.status)) {
      const isStopped = found.status === 'stopping' || found.status === 'pending';
      const said = isStopped ? 'stopped' : (found.trouble ?? 'failed');
      await builds.parts.logs.add(trx, found, [{ level: isStopped ? 'info' : 'error', step: said }]);
      ended = await builds.change(trx, found.id, { status: isStopped ? 'stopped' : 'error', run_id: null });
    }
    if (ended.revision !== ended.published_revision) await forget(builds, trx, ended);
    return {};
  });
  return ended;
}

const forget = async (
  builds: Builds,
  trx: Parameters<Parameters<JobRun<BuildPayload>['step']>[0]>[0],
  build_: Build,
) => {
  await builds.parts.files.drop(trx, build_);
  await builds.parts.revisions.drop(trx, build_);
};

/** Removes what a run stored that is not published. */
async function removeFiles(
  job: JobRun<BuildPayload>,
  { revision, published_revision, ...rest }: Build,
): Promise<void> {
  if (revision === 0 || revision === published_revision) return;
  await job.get(Storage).removeFolder(revisionFolder(rest, revision));
}
