import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { EventLevel, JobRun, JobStep } from '../api/job.ts';
import type { SiteRef } from '../api/module.ts';
import type { Token } from '../api/provider.ts';
import type { Database } from '../db/database.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { State } from '../state/state.ts';
import type { JobRow } from './job-record.ts';
import { RunLost } from './job-store.ts';
import type { Jobs } from './jobs.ts';
import { lockRun, noteRun, recordStep } from './run-store.ts';

/** Somebody asked for the end of the job. */
export class Cancelled extends Error {}
/** The process is about to stop: another one goes on. */
export class HandedBack extends Error {}

/** Milliseconds between progress events of one run: a step may take no longer than a millisecond. */
const eventPauseMs = 1_000;

export interface ActiveRunParts {
  readonly row: JobRow;
  readonly token: string;
  readonly db: Database;
  readonly jobs: Jobs;
  readonly module: ModuleSpec;
  readonly settings: SettingsService;
  readonly state: State;
  readonly resolve: <T>(token: Token<T>) => T;
  readonly log: Logger;
}

/** One run of a job by this process. Every write is fenced by the run's token. */
export class ActiveRun implements JobRun<unknown> {
  readonly id: string;
  readonly payload: unknown;
  readonly site: SiteRef;
  readonly userId: number | null;
  readonly log: Logger;
  readonly token: string;
  readonly #parts: ActiveRunParts;
  readonly #abort = new AbortController();
  #row: JobRow;
  #undoing = false;
  #lastEvent = Number.NEGATIVE_INFINITY;

  constructor(parts: ActiveRunParts) {
    const { row, token } = parts;
    this.#parts = parts;
    this.#row = row;
    this.id = row.job_id;
    this.payload = row.payload;
    this.site = { blog_id: row.blog_id, network_id: row.network_id };
    this.userId = row.user_id;
    this.token = token;
    this.log = parts.log.child({ job_id: row.job_id, module: row.module });
  }

  /** The job as the last step left it. */
  get row(): JobRow {
    return this.#row;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whose code runs. */
  get module(): ModuleSpec {
    return this.#parts.module;
  }

  /** Why the run was aborted; null while it was not. */
  get reason(): unknown {
    return this.#abort.signal.aborted ? this.#abort.signal.reason : null;
  }

  abort(reason: Error): void {
    this.#abort.abort(reason);
  }

  /** The same run for its undoing, which is no longer stopped by what ended it. */
  forUndo(): JobRun<unknown> {
    this.#undoing = true;
    return this;
  }

  // Jobs take it out of the run: it knows its run by itself.
  readonly get = <T>(token: Token<T>): T => this.#parts.resolve(token);

  async setting<T>(name: string): Promise<T> {
    const state = await this.#parts.state.read(this.site.blog_id);
    if (!state) throw new Error('The site of the job is gone.');
    return this.#parts.settings.value(this.#parts.module, name, state) as T;
  }

  cursor<C>(): C | null {
    return (this.#row.cursor ?? null) as C | null;
  }

  async step(work: (trx: Knex.Transaction) => Promise<JobStep>): Promise<void> {
    if (!this.#undoing) this.signal.throwIfAborted();
    this.#row = await this.#parts.db.transaction(async (trx) => {
      const row = await this.#locked(trx);
      const step = await work(trx);
      return recordStep(this.#parts.db, trx, row, step, (phase) => this.#tells(row.phase !== phase));
    });
  }

  /** Whether a step makes an event: each new phase does, and something every second. */
  #tells(isNewPhase: boolean): boolean {
    const now = performance.now();
    if (!isNewPhase && now - this.#lastEvent < eventPauseMs) return false;
    this.#lastEvent = now;
    return true;
  }

  finish<R extends Readonly<Record<string, unknown>>>(
    work: (trx: Knex.Transaction) => Promise<R>,
  ): Promise<R> {
    this.signal.throwIfAborted();
    return this.#parts.db.transaction(async (trx) => {
      const row = await this.#locked(trx);
      const result = await work(trx);
      const outcome = { status: 'completed', message: 'Completed.', result, error: null } as const;
      if (!(await this.#parts.jobs.end(trx, row, this.token, outcome)))
        throw new RunLost('The job has ended.');
      return result;
    });
  }

  async #locked(trx: Knex.Transaction): Promise<JobRow> {
    const row = await lockRun(this.#parts.db, trx, this.id, this.token);
    if (row.cancel_requested && !this.#undoing) {
      const cancelled = new Cancelled();
      this.abort(cancelled);
      throw cancelled;
    }
    return row;
  }

  async note(level: EventLevel, message: string, data?: Readonly<Record<string, unknown>>): Promise<void> {
    await noteRun(this.#parts.db, this.id, this.token, level, message, data ?? null);
  }
}
