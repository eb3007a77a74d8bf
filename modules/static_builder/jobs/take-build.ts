import { randomUUID } from 'node:crypto';
import type { JobRun } from '@lyceum/core';
import type { Build } from '../build.ts';
import { Builds } from '../builds.ts';
import { type BuildSettings, readSettings } from './build-settings.ts';
import type { BuildPayload } from './work.ts';

/** So many lost workers end a build: it is the build that ends workers. */
export const mostLosses = 3;

/** What a worker finds: a build to work at, one that is to fail now, or nothing to do. */
export type Taken =
  | { readonly kind: 'work'; readonly build: Build; readonly settings: BuildSettings }
  | { readonly kind: 'failed'; readonly build: Build }
  | { readonly kind: 'none' };

/** Takes the build in hand: from `pending`, or where another worker left it. */
export async function takeBuild(job: JobRun<BuildPayload>): Promise<Taken> {
  const builds = job.get(Builds);
  let taken: Taken = { kind: 'none' };
  await job.step(async (trx) => {
    const build = await builds.parts.store.lock(trx, job.site.blog_id, job.payload.build_id);
    if (build?.job_id !== job.id) return {};
    const settings = job.cursor<BuildSettings>() ?? (await readSettings(job, build));
    const run_id = randomUUID();
    if (build.status === 'pending') {
      const status = build.revision === 0 ? 'build' : 'rebuild';
      const revision = build.revision + 1;
      await builds.parts.logs.add(trx, build, [{ level: 'info', step: `${status}: revision ${revision}` }]);
      const begun = await builds.change(trx, build.id, {
        status,
        revision,
        run_id,
        losses: 0,
        trouble: null,
      });
      taken = { kind: 'work', build: begun, settings };
    } else if (build.status === 'build' || build.status === 'rebuild' || build.status === 'building') {
      const losses = build.losses + (build.run_id === null ? 0 : 1);
      if (losses >= mostLosses) {
        await builds.parts.logs.add(trx, build, [
          { level: 'error', step: 'interrupted: three workers were lost' },
        ]);
        const ended = await builds.change(trx, build.id, { status: 'error', run_id: null, losses });
        taken = { kind: 'failed', build: ended };
      } else
        taken = { kind: 'work', build: await builds.change(trx, build.id, { run_id, losses }), settings };
    } else if (build.status === 'error') taken = { kind: 'failed', build };
    return { cursor: settings };
  });
  return taken;
}
