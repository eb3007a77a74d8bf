import type { Logger } from 'pino';
import type { Workers } from '../../config/load.ts';
import type { Database } from '../db/database.ts';
import type { Crashes } from '../isolation/crashes.ts';
import { findJob } from '../jobs/job-store.ts';
import { JobTypes } from '../jobs/job-types.ts';
import { JobWaiters } from '../jobs/job-waiters.ts';
import { Jobs } from '../jobs/jobs.ts';
import { Queue } from '../jobs/queue.ts';
import { Schedules } from '../jobs/schedules.ts';
import { Worker } from '../jobs/worker.ts';
import type { Installed } from '../registry/installed.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { Uses } from '../registry/uses.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { StateNotice } from '../state/listener.ts';
import type { State } from '../state/state.ts';
import type { Services } from './container.ts';
import type { StopList } from './stop-list.ts';

/** Milliseconds between looks for jobs that nobody has: a silent worker is shown as such within a minute. */
const recoveryMs = 15_000;

export interface JobSystemParts {
  readonly db: Database;
  readonly installed: Installed;
  readonly uses: Uses;
  readonly services: Services;
  readonly stops: StopList;
  readonly crashes: Crashes;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Queue, job service and, in processes that work, the worker and the schedules. */
export class JobSystem {
  readonly #parts: JobSystemParts;
  readonly #queue: Queue;
  readonly #jobs: Jobs;
  readonly #types: JobTypes;
  readonly #waiters: JobWaiters;
  readonly #schedules: Schedules;
  #worker: Worker | null = null;
  #recovery: NodeJS.Timeout | undefined;

  private constructor(parts: JobSystemParts) {
    this.#parts = parts;
    this.#queue = new Queue(parts.db, parts.log);
    this.#types = new JobTypes(parts.installed);
    this.#waiters = new JobWaiters((jobId) => findJob(parts.db, jobId));
    const { db, installed, uses, services, crashes, now, log } = parts;
    const resolve = (spec: ModuleSpec) => services.resolve(spec);
    this.#jobs = new Jobs({
      db,
      queue: this.#queue,
      types: this.#types,
      waiters: this.#waiters,
      tools: (spec, trx) => ({ trx, log: log.child({ module: spec.id }), get: resolve(spec) }),
    });
    this.#schedules = new Schedules({ db, installed, uses, resolve, crashes, now, log });
  }

  /** Connects the queue and offers the service; nothing runs yet. */
  static async open(parts: JobSystemParts): Promise<JobSystem> {
    const system = new JobSystem(parts);
    await system.#queue.start();
    parts.stops.add('job queue', () => system.#queue.stop());
    parts.services.offer(Jobs, system.#jobs);
    parts.services.offer(Schedules, system.#schedules);
    return system;
  }

  /** Rejects when jobs cannot be queued now. */
  check(): Promise<void> {
    return this.#queue.check();
  }

  /** Answers clients that wait for jobs, so that the server can close. */
  releaseWaiting(): void {
    this.#waiters.close();
  }

  /** Looks after lost jobs, and begins to take jobs and turns unless this process only serves. */
  async work(workers: Workers, state: State, settings: SettingsService): Promise<void> {
    this.#recovery = setInterval(() => {
      this.#jobs
        .recover()
        .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'lost jobs not looked for'));
    }, recoveryMs);
    this.#recovery.unref();
    if (workers === 'off') return;
    const { db, services, uses, crashes, log } = this.#parts;
    const worker = new Worker({
      db,
      queue: this.#queue,
      jobs: this.#jobs,
      types: this.#types,
      uses,
      state,
      settings,
      resolve: (spec) => services.resolve(spec),
      crashes,
      log,
    });
    this.#worker = worker;
    await worker.start();
    this.#schedules.start();
  }

  /** Takes no more jobs and turns, and hands back what runs. Jobs can still be queued. */
  async rest(): Promise<void> {
    clearInterval(this.#recovery);
    await Promise.all([this.#schedules.stop(), this.#worker?.stop()]);
  }

  /** Packages came, went or changed. */
  modulesChanged(): void {
    this.#worker?.modulesChanged();
    this.#schedules.modulesChanged();
  }

  /** Passes a notice on to whoever waits for it. */
  noticed(notice: StateNotice): void {
    if (notice.kind === 'job') {
      this.#waiters.noticed(notice.id);
      this.#worker
        ?.noticed(notice)
        .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'notice lost'));
      return;
    }
    if (notice.kind === 'reconnected') {
      this.#waiters.missed();
      this.#worker
        ?.missed()
        .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'running jobs not looked at'));
    }
    this.#worker?.stateChanged();
  }
}
