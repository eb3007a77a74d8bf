import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { isCoded } from '../api/errors.ts';
import { TransientFailure } from '../api/job.ts';
import type { Token } from '../api/provider.ts';
import { isPlainObject } from '../api/schema.ts';
import type { Database } from '../db/database.ts';
import { mayPass } from '../db/sql-errors.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { State } from '../state/state.ts';
import { ActiveRun, Cancelled, HandedBack } from './active-run.ts';
import type { JobRow } from './job-record.ts';
import { isTerminal } from './job-record.ts';
import { beginRun, findJob, giveBack, type Outcome, RunLost } from './job-store.ts';
import type { JobType, JobTypes } from './job-types.ts';
import type { Jobs } from './jobs.ts';
import { type Lane, lanes, type Queue, type Ticket } from './queue.ts';

/** The fifth lost worker fails the job: it is the job that ends workers. */
const mostLosses = 5;
const mostTries = 5;
const firstRetrySeconds = 2;

/** How many jobs a process takes at a time, by lane; a batch of quick ones is one fetch. */
const concurrency: Record<
  Lane,
  { readonly workers: number; readonly batch: number; readonly perSite: number }
> = {
  quick: { workers: 1, batch: 50, perSite: 25 },
  long: { workers: 4, batch: 1, perSite: 1 },
};

/** Milliseconds between looks for jobs whose module was switched on, should the notice be lost. */
const parkedCheckMs = 5_000;

export interface WorkerParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly jobs: Jobs;
  readonly types: JobTypes;
  readonly state: State;
  readonly settings: SettingsService;
  readonly resolve: (module: ModuleSpec) => <T>(token: Token<T>) => T;
  readonly log: Logger;
}

/** Takes jobs from the queue and runs them. One per process that works. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #active = new Map<string, ActiveRun>();
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;
  #unparking: Promise<void> = Promise.resolve();

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    for (const lane of lanes) {
      for (let count = 0; count < concurrency[lane].workers; count += 1) await this.#takeFrom(lane);
    }
    this.#timer = setInterval(() => this.stateChanged(), parkedCheckMs);
    this.#timer.unref();
    this.stateChanged();
  }

  async #takeFrom(lane: Lane): Promise<void> {
    const { boss } = this.#parts.queue;
    const { batch, perSite } = concurrency[lane];
    let worker: string | null = null;
    const options = {
      batchSize: batch,
      groupConcurrency: perSite,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 2,
      ...(batch > 1 ? { burstWhenBatchFull: true } : {}),
    };
    worker = await boss.work<Ticket>(lane, options, async (tickets) => {
      await Promise.all(tickets.map((ticket) => this.#take(ticket.data.job_id)));
      // The next one of the same site was held back until now, and nobody will tell of it again.
      if (worker !== null) boss.notifyWorker(worker);
    });
  }

  /** A wish or setting changed somewhere: jobs that waited for their module may go on. */
  stateChanged(): void {
    if (this.#stopping) return;
    const { jobs, state, log } = this.#parts;
    this.#unparking = this.#unparking
      .then(() => jobs.unpark(async (module, blogId) => (await state.read(blogId))?.isOn(module) ?? false))
      .then(() => jobs.openGates())
      .catch((error: unknown) => log.warn({ err: error }, 'waiting jobs not looked at'));
  }

  /** A notice about a job: if it runs here and was cancelled, its signal aborts. */
  async noticed(jobId: string): Promise<void> {
    const run = this.#active.get(jobId);
    if (!run) return;
    const row = await findJob(this.#parts.db.knex, jobId);
    if (row?.cancel_requested) run.abort(new Cancelled());
    else if (!row || row.run_token !== run.token) run.abort(new RunLost('Another worker has the job.'));
  }

  /** Takes no more, hands running jobs back, and waits for them. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#timer);
    for (const run of this.#active.values()) run.abort(new HandedBack());
    await this.#unparking;
    await this.#parts.queue.stop();
  }

  async #take(jobId: string): Promise<void> {
    const { db, types, state } = this.#parts;
    const row = await findJob(db.knex, jobId);
    if (!row || isTerminal(row.status)) return;
    const type = types.find(row.type);
    const site = await state.read(row.blog_id);
    if (!type || !site?.isOn(row.module)) return this.#park(row);
    const token = randomUUID();
    const begun = await db.transaction((trx) => beginRun(trx, jobId, token));
    if (!begun) return;
    if (begun.losses >= mostLosses) return this.#lose(begun, token, type);
    await this.#run(begun, token, type);
  }

  /** Its module is off, or not installed: it waits, and takes no place in the queue meanwhile. */
  async #park(row: JobRow): Promise<void> {
    await this.#parts.jobs.park(row);
    // It may have been switched on between the look and the note.
    this.stateChanged();
  }

  /** Once more lost than that, it is the undoing that ends workers. */
  async #lose(row: JobRow, token: string, { job, module }: JobType): Promise<void> {
    if (row.losses === mostLosses) await this.#undo(this.#runOf(row, token, module), job);
    const error = { code: 'worker_lost', message: 'The worker of this job was lost five times.' };
    await this.#end(row, token, { status: 'failed', message: error.message, result: null, error });
  }

  #runOf(row: JobRow, token: string, module: ModuleSpec): ActiveRun {
    const { db, jobs, settings, state, resolve, log } = this.#parts;
    return new ActiveRun({ row, token, db, jobs, module, settings, state, resolve: resolve(module), log });
  }

  async #run(row: JobRow, token: string, { job, module }: JobType): Promise<void> {
    const run = this.#runOf(row, token, module);
    this.#active.set(row.job_id, run);
    if (this.#stopping) run.abort(new HandedBack());
    if (row.cancel_requested) run.abort(new Cancelled());
    try {
      run.signal.throwIfAborted();
      const result = await job.run(run as never);
      await this.#end(row, token, { status: 'completed', message: 'Completed.', result, error: null });
    } catch (error) {
      await this.#failed(row, token, run, job, run.reason ?? error);
    } finally {
      this.#active.delete(row.job_id);
    }
  }

  async #end(row: JobRow, token: string, outcome: Outcome): Promise<void> {
    await this.#parts.db.transaction((trx) => this.#parts.jobs.end(trx, row, token, outcome));
  }

  async #failed(
    row: JobRow,
    token: string,
    run: ActiveRun,
    job: JobType['job'],
    error: unknown,
  ): Promise<void> {
    if (error instanceof RunLost) return;
    if (error instanceof HandedBack) return this.#again(row, token, 'Handed back.', row.tries, 0);
    if (error instanceof Cancelled) {
      const data = await this.#undo(run, job);
      return this.#end(row, token, {
        status: 'cancelled',
        message: 'Cancelled.',
        result: null,
        error: null,
        data,
      });
    }
    const tries = row.tries + 1;
    if ((error instanceof TransientFailure || mayPass(error)) && tries < mostTries) {
      const seconds = firstRetrySeconds * 2 ** (tries - 1);
      return this.#again(row, token, `Trying again in ${seconds} s.`, tries, seconds);
    }
    const data = await this.#undo(run, job);
    const told = error instanceof TransientFailure ? error.cause : error;
    const failure = isCoded(told)
      ? { code: told.code, message: told.ownMessage ?? told.code }
      : { code: 'internal_error', message: 'The job failed unexpectedly.' };
    if (!isCoded(told))
      this.#parts.log.error({ err: error, job_id: row.job_id, type: row.type }, 'job failed');
    await this.#end(row, token, {
      status: 'failed',
      message: failure.message,
      result: null,
      error: failure,
      data,
    });
  }

  async #undo(run: ActiveRun, job: JobType['job']): Promise<Readonly<Record<string, unknown>> | null> {
    try {
      const data = await job.undo?.(run.forUndo() as never);
      return isPlainObject(data) ? data : null;
    } catch (error) {
      this.#parts.log.error({ err: error, job_id: run.id }, 'what a job left could not be undone');
      return null;
    }
  }

  async #again(row: JobRow, token: string, message: string, tries: number, seconds: number): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const given = await giveBack(trx, row.job_id, token, { message, tries, parked: false });
      if (given) await this.#parts.queue.send(trx, row, seconds);
    });
  }
}
