import { workerData } from 'node:worker_threads';

/**
 * A thread beside the module's code, which that cannot keep from its work: ends the process when its host is gone,
 * and when memory that is no heap (buffers) grows beyond measure.
 */
const { parent, heapMb } = workerData as { parent: number; heapMb: number };
const checkMs = 100;
/** Mebibytes that Node, the host's code and buffers in use may take beside the heap. */
const besideHeapMb = 256;

setInterval(() => {
  const tooLarge = process.memoryUsage.rss() > (heapMb + besideHeapMb) * 2 ** 20;
  if (tooLarge || process.ppid !== parent) process.kill(process.pid, tooLarge ? 'SIGABRT' : 'SIGKILL');
}, checkMs);
