import { defineSchedule, SiteCopies } from '@lyceum/core';

/** Removes what copies left behind whose job ended without doing so: promised within 10 minutes. */
export const sweepAbandoned = defineSchedule({
  id: 'site_duplicator.sweep-abandoned',
  title: 'Remove sites that never became whole',
  everySeconds: 60,
  run: ({ get, signal }) => get(SiteCopies).sweep(signal),
});
