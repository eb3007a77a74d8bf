import { Jobs } from '@lyceum/core';
import { Builds, cleaning } from '../builds.ts';
import type { Work } from './work.ts';

/** What a run that came to its end says. */
export type Published = Readonly<Record<'revision' | 'pages' | 'files' | 'bytes', number>>;

/**
 * The switch: in one transaction the files of the revision are the ones that are served, the build is completed and
 * its job has ended. What only earlier revisions had is removed by a job.
 * @param zip path of the zip; null for none
 */
export function publish(work: Work, zip: string | null): Promise<Published> {
  const { job, build, parts, now } = work;
  return job.finish(async (trx) => {
    const locked = await parts.store.lock(trx, build.blog_id, build.id);
    if (locked?.status !== 'building' || locked.job_id !== job.id)
      throw new Error('The build is no longer at work.');
    const { files, bytes, pages } = await parts.files.tally(trx, now);
    await parts.files.supersede(trx, now);
    await parts.revisions.forgetBefore(trx, now);
    await parts.logs.add(trx, build, [{ level: 'info', step: `published: revision ${now.revision}` }]);
    await job.get(Builds).change(trx, build.id, {
      ...{ status: 'completed', published_revision: now.revision, published_zip: zip, run_id: null },
      ...{ percent: 100, current: files, total: files },
    });
    await job.get(Jobs).enqueue(trx, cleaning(job.site, build.id, { revision: now.revision }));
    return { revision: now.revision, pages, files, bytes };
  });
}
