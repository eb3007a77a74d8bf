import { defineSchedule } from '@lyceum/core';
import { ChunkStore } from '@lyceum/module/rag';

/** What a killed worker held goes back, also where its job never comes again. */
export const releaseLost = defineSchedule({
  id: 'embedding.release-lost',
  title: 'Give back chunks that nobody embeds any more',
  everySeconds: 60,
  run: async ({ get, now }) => {
    await get(ChunkStore).releaseLost(now());
  },
});
