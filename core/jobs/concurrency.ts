import type { Lane } from './queue.ts';

/**
 * How many jobs a process takes at a time, by lane; a batch of quick ones is one fetch. More than one taker in each
 * lane, so that a site with a thousand jobs leaves one free for another site.
 */
export const concurrency: Record<
  Lane,
  { readonly workers: number; readonly batch: number; readonly perSite: number }
> = {
  quick: { workers: 2, batch: 50, perSite: 25 },
  long: { workers: 4, batch: 1, perSite: 1 },
  // They wait for a server most of the time; a batch ends with its slowest.
  mail: { workers: 2, batch: 10, perSite: 5 },
  // They wait, too, but each for a server of its own and for as long as that likes: none shares a batch.
  calls: { workers: 12, batch: 1, perSite: 10 },
};
