import {
  Database,
  defineSchedule,
  RemovedSites,
  type ScheduleTools,
  SettingsService,
  type SiteRef,
  State,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { purge } from './jobs/purge.ts';
import { enqueuePurge } from './remove-site.ts';

/** Milliseconds of a day. */
export const daysMs = 24 * 60 * 60 * 1000;

/** Sites that one transaction gives up. */
const batch = 100;

/** Days that the network keeps removed sites. */
async function retentionDays(tools: ScheduleTools, main: SiteRef): Promise<number> {
  const states = tools.get(State);
  const state = await states.read(main.blog_id);
  const spec = states.modules.get('site_manager')?.spec;
  if (!state || !spec) throw new Error(`The network ${main.network_id} has no state.`);
  return tools.get(SettingsService).value(spec, 'removed_site_retention_days', state) as number;
}

/** Enqueues purges of the sites that `find` names, batch by batch, until it names no more. */
async function purgeAll(
  tools: ScheduleTools,
  main: SiteRef,
  find: (trx: Knex.Transaction) => Promise<readonly number[]>,
): Promise<void> {
  const { get } = tools;
  for (let found = batch; found === batch && !tools.signal.aborted; ) {
    found = await get(Database).transaction(async (trx) => {
      const ids = await find(trx);
      for (const blogId of ids) await enqueuePurge(trx, { get, main, userId: null }, blogId);
      return ids.length;
    });
  }
}

/** Looks each hour for removed sites that nobody brought back in time, and for those whose purge failed. */
export const retention = defineSchedule({
  id: 'site_manager.retention',
  title: 'Purge removed sites whose time is over',
  everySeconds: 3600,
  run: async (tools) => {
    const removed = tools.get(RemovedSites);
    for (const { root_blog_id, network_id } of await removed.networks()) {
      const main = { blog_id: root_blog_id, network_id };
      const days = await retentionDays(tools, main);
      const before = new Date(tools.now().getTime() - days * daysMs);
      await purgeAll(tools, main, (trx) => removed.giveUp(trx, network_id, before, batch));
      await purgeAll(tools, main, (trx) => removed.halfPurged(trx, network_id, purge.id, batch));
    }
  },
});
