import { defineSchedule, UnclaimedFiles } from '@lyceum/core';

const hour = 60 * 60 * 1000;

export const sweepCopies = defineSchedule({
  id: 'host.sweep-copies',
  title: 'Removes files of attachments that a lost process did not come to write, or to remove',
  everySeconds: 600,
  run: async ({ get, now, signal }) => {
    // No request that copies files runs so long.
    await get(UnclaimedFiles).sweep(new Date(now().getTime() - hour), signal);
  },
});
