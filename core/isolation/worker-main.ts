import { enableCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';

// Whoever stops the host tells the host, and the host its workers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
const heapMb = Number(process.argv[3]);
const keeper = new Worker(new URL('./worker-keeper.ts', import.meta.url), {
  workerData: { parent: process.ppid, heapMb },
  resourceLimits: { maxOldGenerationSizeMb: 16 },
});
keeper.unref();
// Every worker loads the same files of the host.
enableCompileCache();
await import('./worker-run.ts');
