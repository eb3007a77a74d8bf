import type { Logger } from 'pino';
import { isCoded } from '../api/errors.ts';
import { type Job, Postponed, TransientFailure } from '../api/job.ts';
import { isPlainObject } from '../api/schema.ts';
import type { Database } from '../db/database.ts';
import { mayPass } from '../db/sql-errors.ts';
import type { Crashes } from '../isolation/crashes.ts';
import { isCrash } from '../isolation/is-crash.ts';
import { asModule } from '../isolation/running.ts';
import { type ActiveRun, Cancelled, HandedBack } from './active-run.ts';
import { findJob, RunLost } from './job-store.ts';
import type { Jobs } from './jobs.ts';
import { keepTrying } from './keep-trying.ts';
import type { Outcome } from './run-store.ts';

/** The fifth lost worker fails the job: it is the job that ends workers. */
export const mostLosses = 5;
/** Seconds until the next try, where the job does not say it itself. */
const usualRetries: readonly number[] = [2, 4, 8, 16];

export interface RunEndParts {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly crashes: Crashes;
  readonly log: Logger;
}

/** How runs end: what is written of it, and what is undone before. */
export class RunEnds {
  readonly #parts: RunEndParts;

  constructor(parts: RunEndParts) {
    this.#parts = parts;
  }

  /** The handler returned. */
  async completed(run: ActiveRun, job: Job, result: Readonly<Record<string, unknown>>): Promise<void> {
    const ended = await this.#end(run, { status: 'completed', message: 'Completed.', result, error: null });
    if (!ended) await this.#refused(run, job);
  }

  /** The handler threw, or was told to end. */
  async failed(run: ActiveRun, job: Job, error: unknown): Promise<void> {
    if (error instanceof RunLost) return;
    if (error instanceof HandedBack) return this.handBack(run);
    if (error instanceof Cancelled) return this.#cancelled(run, job);
    const isPostponed = error instanceof Postponed;
    const usual = (job.retryAfterSeconds ?? usualRetries)[run.row.tries];
    const seconds = isPostponed ? error.seconds : usual;
    if ((error instanceof TransientFailure || mayPass(error)) && seconds !== undefined) {
      const message = `Trying again in ${seconds} s.`;
      const tries = run.row.tries + (isPostponed ? 0 : 1);
      const change = { message, tries, whateverAsked: false };
      const given = await keepTrying(() => this.#parts.jobs.giveBack(run.row, run.token, change, seconds));
      return given ? undefined : this.#refused(run, job);
    }
    const data = await this.#undo(run, job);
    const told = error instanceof TransientFailure ? error.cause : error;
    const failure = isCoded(told)
      ? { code: told.code, message: told.ownMessage ?? told.code }
      : { code: 'internal_error', message: 'The job failed unexpectedly.' };
    if (!isCoded(told))
      this.#parts.log.error({ err: error, job_id: run.id, type: run.row.type }, 'job failed');
    if (!(error instanceof TransientFailure)) await this.#charge(run, error);
    const outcome = {
      status: 'failed',
      message: failure.message,
      result: null,
      error: failure,
      data,
    } as const;
    if (!(await this.#end(run, outcome))) await this.#refused(run, job);
  }

  /** Its workers were lost too often. Once more lost than that, it is the undoing that ends workers. */
  async lost(run: ActiveRun, job: Job): Promise<void> {
    if (run.row.losses === mostLosses) await this.#undo(run, job);
    const error = { code: 'worker_lost', message: 'The worker of this job was lost five times.' };
    await this.#end(run, {
      status: 'failed',
      message: error.message,
      result: null,
      error,
      whateverAsked: true,
    });
  }

  /** Another process goes on with it, at once. */
  async handBack(run: ActiveRun): Promise<void> {
    const change = { message: 'Handed back.', tries: run.row.tries, whateverAsked: true };
    await keepTrying(() => this.#parts.jobs.giveBack(run.row, run.token, change, 0));
  }

  #end({ row, token }: ActiveRun, outcome: Outcome): Promise<boolean> {
    return keepTrying(() => this.#parts.jobs.end(undefined, row, token, outcome));
  }

  /** A run could not end as it wished: it is over already, or somebody asked for its end before. */
  async #refused(run: ActiveRun, job: Job): Promise<void> {
    const now = await keepTrying(() => findJob(this.#parts.db, run.id));
    if (now?.run_token === run.token && now.cancel_requested) await this.#cancelled(run, job);
  }

  async #cancelled(run: ActiveRun, job: Job): Promise<void> {
    const data = await this.#undo(run, job);
    await this.#end(run, { status: 'cancelled', message: 'Cancelled.', result: null, error: null, data });
  }

  /** A job that fails in a way that it did not foresee counts against its module. */
  async #charge({ row: { module, type } }: ActiveRun, error: unknown): Promise<void> {
    if (isCrash(error)) await this.#parts.crashes.charge({ module, place: `job ${type}`, error });
  }

  async #undo(run: ActiveRun, job: Job): Promise<Readonly<Record<string, unknown>> | null> {
    try {
      const data = await keepTrying(async () =>
        asModule(run.row.module, () => job.undo?.(run.forUndo() as never)),
      );
      return isPlainObject(data) ? data : null;
    } catch (error) {
      this.#parts.log.error({ err: error, job_id: run.id }, 'what a job left could not be undone');
      await this.#charge(run, error);
      return null;
    }
  }
}
