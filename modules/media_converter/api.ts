export { jobTypes } from './queue/entry.ts';
export { MediaQueue } from './queue/media-queue.ts';
