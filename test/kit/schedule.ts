import { setImmediate as soon } from 'node:timers/promises';
import { Schedules } from '../../core/jobs/schedules.ts';
import type { TestHost } from './test-host.ts';

/** Does a turn of a schedule now; one that the worker is just at is waited for. */
export async function runSchedule(lyceum: TestHost, id: string): Promise<void> {
  const schedules = lyceum.host.services.host(Schedules);
  while (!(await schedules.runNow(id))) await soon();
}
