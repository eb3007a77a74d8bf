import { Readable } from 'node:stream';
import { isTerminal } from './job-record.ts';
import type { Jobs } from './jobs.ts';

/** Seconds without an event until a comment is sent, so that proxies keep the connection. */
const pulseSeconds = 15;
const batch = 100;

/** Events of a job as a `text/event-stream` that ends with the job. */
export function eventStream(jobs: Jobs, jobId: string, after: number, signal: AbortSignal): Readable {
  async function* produce(): AsyncGenerator<string> {
    let last = after;
    for (;;) {
      // Read before the events: an event that comes with the last change is then among them.
      const row = await jobs.find(jobId);
      const events = await jobs.events(jobId, last, batch);
      for (const event of events) {
        last = event.id;
        yield `id: ${event.id}\nevent: ${event.level}\ndata: ${JSON.stringify(event)}\n\n`;
      }
      if (events.length === batch) continue;
      if (!row || isTerminal(row.status) || signal.aborted) return;
      if (events.length > 0) continue;
      const next = await jobs.wait(jobId, pulseSeconds, signal);
      if (signal.aborted || jobs.closing) return;
      if (next && next.updated_at === row.updated_at) yield ': still here\n\n';
    }
  }
  return Readable.from(produce());
}
