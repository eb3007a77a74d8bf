import { type ActiveFormat, ActiveFormats, type Hooks } from '@lyceum/core';
import { QueueStore } from './queue/queue-store.ts';

/** Players are told what is being made; asked through the host, so that they need not know who makes it. */
export const hooks: Hooks = {
  start: ({ get }) => {
    const store = new QueueStore();
    get(ActiveFormats).register('media_converter', async (sql, blogId, attachmentId) => {
      const active = await store.activeOf(sql, blogId, attachmentId);
      const encodes = active.filter(({ job_type }) => job_type === 'media_converter.encode');
      return encodes.map(({ format, status, percent }) => ({ format, status, percent }) as ActiveFormat);
    });
  },
};
