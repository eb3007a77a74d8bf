import type { JobRow } from './job-record.ts';

type Wake = () => void;

/** One client's watch over a job. */
export interface Watch {
  /** The row at the first change from `before`; null when the time is up or the client went. */
  change(before: JobRow, milliseconds: number, signal: AbortSignal): Promise<JobRow | null>;
  close(): void;
}

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
  readonly #waiting = new Map<string, Set<Wake>>();
  readonly #reading = new Map<string, Promise<JobRow | null>>();
  #closed = false;

  constructor(find: (jobId: string) => Promise<JobRow | null>) {
    this.#find = find;
  }

  get closing(): boolean {
    return this.#closed;
  }

  /** A notice came: whoever waits for this job looks. */
  noticed(jobId: string): void {
    for (const wake of [...(this.#waiting.get(jobId) ?? [])]) wake();
  }

  /** Notices may have been missed: everybody looks. */
  missed(): void {
    for (const jobId of [...this.#waiting.keys()]) this.noticed(jobId);
  }

  /** The process is about to stop: everybody is answered with what is known. */
  close(): void {
    this.#closed = true;
    this.missed();
  }

  /** Listens from now on, so that nothing between reading the row and waiting is missed. */
  watch(jobId: string): Watch {
    let noticed = false;
    let wake: Wake = () => undefined;
    const hear = (): void => {
      noticed = true;
      wake();
    };
    const waiting = this.#waiting.get(jobId) ?? new Set<Wake>();
    waiting.add(hear);
    this.#waiting.set(jobId, waiting);
    const change = async (
      before: JobRow,
      milliseconds: number,
      signal: AbortSignal,
    ): Promise<JobRow | null> => {
      const until = performance.now() + milliseconds;
      for (;;) {
        if (noticed) {
          noticed = false;
          const row = await this.#read(jobId);
          if (!row || differs(before, row)) return row;
          continue;
        }
        const left = until - performance.now();
        if (left <= 0 || signal.aborted || this.#closed) return null;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            resolve();
          };
          wake = done;
          signal.addEventListener('abort', done, { once: true });
        });
      }
    };
    const close = (): void => {
      waiting.delete(hear);
      if (waiting.size === 0 && this.#waiting.get(jobId) === waiting) this.#waiting.delete(jobId);
    };
    return { change, close };
  }

  /** A read that begins after the notice and is shared by all who heard it. */
  #read(jobId: string): Promise<JobRow | null> {
    const running = this.#reading.get(jobId);
    if (running) return running;
    const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#reading.delete(jobId);
      return this.#find(jobId);
    });
    this.#reading.set(jobId, reading);
    return reading;
  }
}
