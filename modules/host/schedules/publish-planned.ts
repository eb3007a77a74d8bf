import { Database, defineSchedule, Jobs, PostTypes } from '@lyceum/core';
import { sitesWithDue } from './planned-posts-store.ts';

export const publishJobType = 'host.publish';

export interface PublishPayload {
  /** Posts that were planned for this time or an earlier one come out. RFC 3339. */
  readonly due: string;
}

/** A planned post comes out within a minute: a turn, the start of a job, and what a lost process costs. */
const everySeconds = 15;

export const publishPlanned = defineSchedule({
  id: 'host.publish-planned',
  title: 'Publishes planned posts whose time has come',
  everySeconds,
  run: ({ get, now }) =>
    get(Database).transaction(async (trx) => {
      const due = now();
      const sites = await sitesWithDue(trx, due, get(PostTypes).ids(), publishJobType);
      for (const site of sites) {
        const payload: PublishPayload = { due: due.toISOString() };
        const job = {
          type: publishJobType,
          payload: { ...payload },
          site,
          userId: null,
          startAfterSeconds: 0,
        };
        await get(Jobs).enqueue(trx, job);
      }
    }),
});
