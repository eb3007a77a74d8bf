import { Database, defineSchedule, type ScheduleTools, SettingsService, State } from '@lyceum/core';
import {
  type Forget,
  forgetAnswers,
  forgetAudit,
  forgetJobs,
  forgetLostAudit,
  forgetRateLimits,
  forgetSessions,
  networks,
  perDelete,
} from './expired-rows-store.ts';

const day = 24 * 60 * 60 * 1000;

export const forgetExpired = defineSchedule({
  id: 'host.forget-expired',
  title: 'Deletes ended jobs, old audit rows, sessions and stored answers whose time is over',
  everySeconds: 3_600,
  run: async (tools) => {
    const now = tools.now();
    for (const forget of [forgetSessions(now), forgetAnswers(now), forgetRateLimits(now)]) {
      await all(tools, forget);
    }
    let longest = 0;
    for (const network of await networks(tools.get(Database).knex)) {
      const { network_id, root_blog_id } = network;
      const kept = await retention(tools, root_blog_id);
      longest = Math.max(longest, kept.auditMs);
      await all(tools, forgetJobs(network_id, new Date(now.getTime() - kept.jobsMs)));
      await all(tools, forgetAudit(network_id, new Date(now.getTime() - kept.auditMs)));
    }
    await all(tools, forgetLostAudit(new Date(now.getTime() - longest)));
  },
});

async function all({ get, signal }: ScheduleTools, forget: Forget): Promise<void> {
  while (!signal.aborted && (await forget(get(Database).knex)) === perDelete);
}

/** What the network of a main site wants to keep, and how long. */
async function retention({ get }: ScheduleTools, rootBlogId: number) {
  const state = await get(State).read(rootBlogId);
  const spec = get(State).modules.get('host')?.spec;
  if (!state || !spec) throw new Error('A network has no main site.');
  const days = (name: string): number => get(SettingsService).value(spec, name, state) as number;
  return { jobsMs: days('job_retention_days') * day, auditMs: days('audit_retention_days') * day };
}
