import { defineJob, type JobRun, Jobs, SitePurge } from '@lyceum/core';

/** The site, which is removed for good. */
interface PurgePayload {
  readonly blog_id: number;
}

type PurgeRun = JobRun<PurgePayload>;

/** Rows deleted so far. */
interface Cursor {
  readonly rows: number;
}

/** Milliseconds that running jobs of the site have to stop; a lost worker is replaced in less. */
const patienceMs = 60_000;

/** Passes over all tables: somebody who began before the removal may write while the first one runs. */
const mostPasses = 20;

const rowsOf = (job: PurgeRun): number => job.cursor<Cursor>()?.rows ?? 0;

/** Ends what the site still has to do, so that nothing writes what was just deleted. */
async function endJobs(job: PurgeRun): Promise<void> {
  const jobs = job.get(Jobs);
  const { blog_id } = job.payload;
  const until = performance.now() + patienceMs;
  for (;;) {
    await job.step(async (trx) => {
      await jobs.cancelOfSite(trx, blog_id);
      return { phase: 'stop' };
    });
    const [running] = await job.get(SitePurge).openJobs(blog_id, 1);
    const left = until - performance.now();
    if (running === undefined || left <= 0) return;
    await jobs.wait(running, left / 1000, job.signal);
  }
}

/** Deletes rows of every table, a batch at a time: how many. */
async function deleteRows(job: PurgeRun, counts: boolean): Promise<number> {
  const purge = job.get(SitePurge);
  const tables = await purge.tables();
  const before = rowsOf(job);
  for (const [at, table] of tables.entries()) {
    let deleted: number;
    do {
      deleted = 0;
      await job.step(async (trx) => {
        deleted = await purge.deleteRows(trx, table, job.payload.blog_id);
        const progress = counts ? { current: at, total: tables.length + 1 } : {};
        return { phase: 'rows', ...progress, cursor: { rows: rowsOf(job) + deleted } };
      });
    } while (deleted > 0);
  }
  return rowsOf(job) - before;
}

async function run(job: PurgeRun): Promise<{ readonly blog_id: number; readonly rows: number }> {
  const purge = job.get(SitePurge);
  const { blog_id } = job.payload;
  if (!(await purge.isGone(blog_id))) throw new Error(`The site ${blog_id} is not removed for good.`);
  await endJobs(job);
  await deleteRows(job, true);
  await job.step(async () => ({ phase: 'files' }));
  await purge.removeFiles(blog_id);
  for (let pass = 0; pass < mostPasses && (await deleteRows(job, false)) > 0; ) pass += 1;
  const left = await purge.tablesLeft(blog_id);
  if (left.length > 0) throw new Error(`Rows of the removed site ${blog_id} stay in ${left.join(', ')}.`);
  await job.step(async (trx) => {
    await purge.finish(trx, blog_id);
    return {};
  });
  return { blog_id, rows: rowsOf(job) };
}

/** Takes away every row and file that any module kept of a site. */
export const purge = defineJob<PurgePayload>({
  id: 'site_manager.purge',
  title: 'Remove what is left of a site',
  cancellable: false,
  run,
});
