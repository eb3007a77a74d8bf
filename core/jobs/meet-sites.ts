import type { Job, JobRun } from '../api/job.ts';
import { defineJob } from '../api/job.ts';
import type { SiteRef } from '../api/module.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import { Jobs, type NewJob } from './jobs.ts';
import { noteMet, unmetSites } from './met-site-store.ts';

/** Type of the job that runs a module's `onSiteCreated` for one site. */
const meetSiteType = (moduleId: string): string => `${moduleId}.meet-site`;
/** Type of the job that enqueues the former for the sites of a network. */
const meetSitesType = (moduleId: string): string => `${moduleId}.meet-sites`;

const newJob = (type: string, site: SiteRef): NewJob => ({
  type,
  payload: {},
  site,
  userId: null,
  startAfterSeconds: 0,
});

/** A job by which the module meets a site that was there before it, or that it failed to meet. */
export const meetSite = (moduleId: string, site: SiteRef): NewJob => newJob(meetSiteType(moduleId), site);

/** A job by which the module meets every site of the network that it has not met. `main` is its main site. */
export const meetSites = (moduleId: string, main: SiteRef): NewJob => newJob(meetSitesType(moduleId), main);

/** Jobs that a module has without declaring them: it meets sites, once each. */
export function meetingJobs({ id, hooks }: ModuleSpec): readonly Job[] {
  const { onSiteCreated } = hooks;
  if (!onSiteCreated) return [];
  return [
    defineJob<object>({
      id: meetSiteType(id),
      title: 'Meet a site',
      lane: 'quick',
      cancellable: false,
      run: async (job) => {
        await job.step(async (trx) => {
          const tools = { trx, log: job.log, get: job.get.bind(job) };
          if (await noteMet(trx, id, job.site.blog_id)) await onSiteCreated(job.site, tools);
          return {};
        });
        return {};
      },
    }),
    defineJob<object>({
      id: meetSitesType(id),
      title: 'Meet the sites of a network',
      cancellable: false,
      run: (job) => enqueueMeetings(job, id),
    }),
  ];
}

interface Cursor {
  readonly after: number;
  readonly sites: number;
}

async function enqueueMeetings(job: JobRun<object>, moduleId: string): Promise<{ readonly sites: number }> {
  const { network_id } = job.site;
  const jobs = job.get(Jobs);
  for (;;) {
    const { after, sites } = job.cursor<Cursor>() ?? { after: 0, sites: 0 };
    let found: readonly number[] = [];
    await job.step(async (trx) => {
      found = await unmetSites(trx, moduleId, network_id, after);
      for (const blog_id of found) await jobs.enqueue(trx, meetSite(moduleId, { blog_id, network_id }));
      const cursor: Cursor = { after: found.at(-1) ?? after, sites: sites + found.length };
      return { phase: 'sites', current: cursor.sites, cursor };
    });
    if (found.length === 0) return { sites };
  }
}
