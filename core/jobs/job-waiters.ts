import type { JobRow } from './job-record.ts';

type Hear = (row: JobRow | null) => void;

/** One client's watch over a job. */
export interface Watch {
  /**
   * The row at the first change from `before`, which was read after the watch began; undefined when the time is up or
   * the client went, null when the job is gone.
   */
  change(before: JobRow, milliseconds: number, signal: AbortSignal): Promise<JobRow | null | undefined>;
  close(): void;
}

/** Clients that are woken in one turn of the event loop: other requests come between. */
const wokenAtOnce = 20;

const differs = (a: JobRow, b: JobRow): boolean =>
  a.status !== b.status ||
  a.phase !== b.phase ||
  a.message !== b.message ||
  a.percent !== b.percent ||
  a.current !== b.current ||
  a.total !== b.total;

/**
 * Clients that wait for jobs, woken by notices. However many wait for one job, a notice costs one query,
 * and while nothing happens they cost none.
 */
export class JobWaiters {
  readonly #find: (jobId: string) => Promise<JobRow | null>;
  readonly #waiting = new Map<string, Set<Hear>>();
  /** Jobs whose row is about to be read: notices that come before cost nothing more. */
  readonly #toRead = new Set<string>();
  readonly #ends = new Set<() => void>();
  #closed = false;

  constructor(find: (jobId: string) => Promise<JobRow | null>) {
    this.#find = find;
  }

  get closing(): boolean {
    return this.#closed;
  }

  /** A notice came: whoever waits for this job is shown the row as it is now. */
  noticed(jobId: string): void {
    if (!this.#waiting.has(jobId) || this.#toRead.has(jobId)) return;
    this.#toRead.add(jobId);
    setImmediate(() => {
      this.#toRead.delete(jobId);
      // A read that fails leaves them waiting: for the next notice, or for their time to be up.
      this.#find(jobId).then(
        (row) => this.#show(jobId, row),
        () => undefined,
      );
    });
  }

  #show(jobId: string, row: JobRow | null): void {
    const hearers = [...(this.#waiting.get(jobId) ?? [])];
    const next = (): void => {
      for (const hear of hearers.splice(0, wokenAtOnce)) hear(row);
      if (hearers.length > 0) setImmediate(next);
    };
    next();
  }

  /** Notices may have been missed: everybody looks. */
  missed(): void {
    for (const jobId of [...this.#waiting.keys()]) this.noticed(jobId);
  }

  /** The process is about to stop: everybody is answered with what is known. */
  close(): void {
    this.#closed = true;
    for (const end of [...this.#ends]) end();
  }

  /** Listens from now on, so that nothing between reading the row and waiting is missed. */
  watch(jobId: string): Watch {
    let heard: JobRow | null | undefined;
    let wake = (): void => undefined;
    const hear: Hear = (row) => {
      heard = row;
      wake();
    };
    const waiting = this.#waiting.get(jobId) ?? new Set<Hear>();
    waiting.add(hear);
    this.#waiting.set(jobId, waiting);
    const change: Watch['change'] = async (before, milliseconds, signal) => {
      const until = performance.now() + milliseconds;
      for (;;) {
        if (heard !== undefined) {
          const row = heard;
          heard = undefined;
          // What was read before `before` was is no news.
          if (row === null || (row.updated_at >= before.updated_at && differs(before, row))) return row;
          continue;
        }
        const left = until - performance.now();
        if (left <= 0 || signal.aborted || this.#closed) return undefined;
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            this.#ends.delete(done);
            resolve();
          };
          const timer = setTimeout(done, left);
          wake = done;
          this.#ends.add(done);
          signal.addEventListener('abort', done, { once: true });
        });
        wake = (): void => undefined;
      }
    };
    const close = (): void => {
      waiting.delete(hear);
      if (waiting.size === 0 && this.#waiting.get(jobId) === waiting) this.#waiting.delete(jobId);
    };
    return { change, close };
  }
}
