import { AttachmentCopies, defineSchedule } from '@lyceum/core';

const hour = 60 * 60 * 1000;

export const sweepCopies = defineSchedule({
  id: 'host.sweep-copies',
  title: 'Removes files that were copied for attachments which a lost process did not come to write',
  everySeconds: 600,
  run: async ({ get, now, signal }) => {
    // No request that copies files runs so long.
    await get(AttachmentCopies).sweep(new Date(now().getTime() - hour), signal);
  },
});
