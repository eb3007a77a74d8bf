import { createHash } from 'node:crypto';
import { Database, defineSchedule, Jobs, type ScheduleTools } from '@lyceum/core';
import type { License } from '../license.ts';
import { lockDue, markQueued, networksWithLicenses } from '../license-store.ts';
import { type Ground, Places } from '../places.ts';

const perLook = 200;
const moduleId = 'license';

/** Sends a job for every license whose time has come, where the module is on. */
export const planChecks = defineSchedule({
  id: 'license.plan-checks',
  title: 'Checks of licenses that are due',
  everySeconds: 60,
  run: async (tools) => {
    for (const networkId of await networksWithLicenses(tools.get(Database).knex)) {
      if (tools.signal.aborted) return;
      const main = await tools.get(Places).ground({ network_id: networkId, blog_id: 0 });
      if (main) await planNetwork(tools, main);
    }
  },
});

async function planNetwork({ get, now, signal }: ScheduleTools, main: Ground): Promise<void> {
  const { network_id: networkId } = main.keep;
  const intervalHours = main.settings.check_interval_hours;
  for (let after = 0; !signal.aborted; ) {
    const query = { networkId, intervalHours, now: now(), after, limit: perLook };
    const found = await get(Database).transaction(async (trx) => {
      const due = await lockDue(trx, query);
      const queued: number[] = [];
      for (const license of due) {
        const ground = license.blog_id === 0 ? main : await get(Places).ground(license);
        if (!ground?.state.isOn(moduleId)) continue;
        await get(Jobs).enqueue(trx, {
          type: 'license.check',
          payload: { license_id: license.license_id },
          site: ground.site,
          userId: null,
          startAfterSeconds: 0,
          ...gateOf(license, main),
        });
        queued.push(license.license_id);
      }
      await markQueued(trx, queued, query.now);
      return due;
    });
    const last = found.at(-1);
    if (!last) return;
    after = last.license_id;
  }
}

/** One check at a time per server, over all processes. Signed keys ask nobody. */
function gateOf({ kind }: License, { settings }: Ground) {
  if (kind === 'offline' || settings.server_url === '') return {};
  const server = createHash('sha256').update(settings.server_url).digest('hex').slice(0, 16);
  return { gate: { name: `license ${server}`, limit: 1 } };
}
