import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Token } from '../api/provider.ts';
import type { Database } from '../db/database.ts';
import type { Crashes } from '../isolation/crashes.ts';
import { legible } from '../isolation/legible.ts';
import { asModule } from '../isolation/running.ts';
import type { ModuleSpec } from '../registry/spec.ts';
import type { Uses } from '../registry/uses.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { JobNotice } from '../state/listener.ts';
import type { State } from '../state/state.ts';
import { ActiveRun, Cancelled, HandedBack } from './active-run.ts';
import { concurrency } from './concurrency.ts';
import { Gathered } from './gathered.ts';
import type { JobRow } from './job-record.ts';
import { findJob, RunLost } from './job-store.ts';
import type { JobType, JobTypes } from './job-types.ts';
import type { Jobs } from './jobs.ts';
import { keepTrying } from './keep-trying.ts';
import { type Lane, lanes, type Queue, type Ticket } from './queue.ts';
import { mostLosses, RunEnds } from './run-ends.ts';
import { type Beginning, beginRuns, findTaken, type TakenRow } from './run-store.ts';

/** Milliseconds between looks for jobs whose module was switched on, should the notice be lost. */
const parkedCheckMs = 5_000;

/** Milliseconds that handlers have to end when the process stops; whoever has not is handed back without them. */
const handBackMs = 6_000;

/** A ticket as the queue brings it. */
interface QueuedTicket {
  readonly id: string;
  readonly data: Ticket;
}

interface Settled {
  readonly id: string;
  readonly status: 'completed' | 'failed';
  readonly output?: object;
}

export interface WorkerParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly jobs: Jobs;
  readonly types: JobTypes;
  readonly uses: Uses;
  readonly state: State;
  readonly settings: SettingsService;
  readonly resolve: (module: ModuleSpec) => <T>(token: Token<T>) => T;
  readonly crashes: Crashes;
  readonly log: Logger;
}

/** Takes jobs from the queue and runs them. One per process that works. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #active = new Map<string, ActiveRun>();
  readonly #taking = new Set<Promise<unknown>>();
  readonly #beginnings: Gathered<Beginning, JobRow | null>;
  readonly #ends: RunEnds;
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;
  #unparking: Promise<void> = Promise.resolve();

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#beginnings = new Gathered((runs) => beginRuns(parts.db, runs));
    this.#ends = new RunEnds(parts);
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
      perJobResults: true as const,
      ...(batch > 1 ? { burstWhenBatchFull: true } : {}),
    };
    worker = await boss.work<Ticket>(lane, options, async (tickets) => {
      const taking = this.#takeAll(tickets);
      this.#taking.add(taking);
      const settled = await taking.finally(() => this.#taking.delete(taking));
      // The next one of the same site was held back until now, and nobody will tell of it again.
      const all = settled.every(({ status }) => status === 'completed');
      if (worker !== null && all) boss.notifyWorker(worker);
      return settled;
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

  /** Packages changed: jobs that run in replaced code go on in the new one, from what they recorded. */
  modulesChanged(): void {
    for (const [jobId, run] of this.#active) {
      if (this.#parts.types.find(run.row.type)?.module !== run.module) {
        this.#parts.log.info({ job_id: jobId, module: run.module.id }, 'job handed to the new code');
        run.abort(new HandedBack());
      }
    }
    this.stateChanged();
  }

  /** A notice about a job: if it runs here and was cancelled or lost, its signal aborts. */
  async noticed({ id, run: token, cancel }: JobNotice): Promise<void> {
    const run = this.#active.get(id);
    // Most notices are of what the run itself wrote.
    if (run && (cancel || token !== run.token)) await this.#look(run);
  }

  /** Notices may have been missed: every run is looked at. */
  async missed(): Promise<void> {
    await Promise.all([...this.#active.values()].map((run) => this.#look(run)));
  }

  async #look(run: ActiveRun): Promise<void> {
    const row = await findJob(this.#parts.db, run.id);
    if (!row || row.run_token !== run.token) run.abort(new RunLost('Another worker has the job.'));
    else if (row.cancel_requested) run.abort(new Cancelled());
  }

  /** Takes no more, and hands running jobs back: by their handlers, or over the heads of those that do not end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#timer);
    const { queue, log } = this.#parts;
    await queue.takeNoMore();
    for (const run of this.#active.values()) run.abort(new HandedBack());
    const patience = new AbortController();
    await Promise.race([
      Promise.allSettled(this.#taking),
      wait(handBackMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
    for (const run of this.#active.values()) {
      log.warn({ job_id: run.id, type: run.row.type }, 'a job was handed back though its handler goes on');
      await this.#ends.handBack(run);
    }
    await this.#unparking;
  }

  /** Takes a batch of tickets; one that fails is taken again, and costs the others nothing. */
  async #takeAll(tickets: readonly QueuedTicket[]): Promise<Settled[]> {
    let rows: ReadonlyMap<string, TakenRow>;
    try {
      const found = await findTaken(
        this.#parts.db,
        tickets.map(({ data }) => data.job_id),
      );
      rows = new Map(found.map((row) => [row.job_id, row]));
    } catch (error) {
      return tickets.map(({ id }) => this.#unsettled(id, error));
    }
    return Promise.all(
      tickets.map(async ({ id, data }): Promise<Settled> => {
        const row = rows.get(data.job_id);
        try {
          // An old ticket, or one of a job that has ended.
          if (row?.ticket === id) await this.#take(row, id);
          return { id, status: 'completed' };
        } catch (error) {
          return this.#unsettled(id, error);
        }
      }),
    );
  }

  #unsettled(id: string, error: unknown): Settled {
    this.#parts.log.warn({ err: error }, 'a ticket will be taken again');
    return { id, status: 'failed', output: {} };
  }

  async #take(row: TakenRow, ticket: string): Promise<void> {
    const { types, state } = this.#parts;
    const type = types.find(row.type);
    const site = await state.load(row.blog_id, row.revision);
    if (!type || !site?.isOn(row.module)) return this.#park(row);
    const token = randomUUID();
    // The same token each time, so that an answer that got lost is no lost worker.
    const begun = await keepTrying(() => this.#beginnings.add({ jobId: row.job_id, ticket, token }));
    if (!begun) return;
    const run = this.#runOf(begun, token, type.module);
    await (begun.losses >= mostLosses ? this.#ends.lost(run, type.job) : this.#run(run, type));
  }

  /** Its module is off, or not installed: it waits, and takes no place in the queue meanwhile. */
  async #park(row: JobRow): Promise<void> {
    await this.#parts.jobs.park(row);
    // It may have been switched on between the look and the note.
    this.stateChanged();
  }

  #runOf(row: JobRow, token: string, module: ModuleSpec): ActiveRun {
    const { db, jobs, settings, state, resolve, log } = this.#parts;
    return new ActiveRun({ row, token, db, jobs, module, settings, state, resolve: resolve(module), log });
  }

  async #run(run: ActiveRun, { job, module }: JobType): Promise<void> {
    const leave = this.#parts.uses.enter(module);
    this.#active.set(run.id, run);
    if (this.#stopping) run.abort(new HandedBack());
    if (run.row.cancel_requested) run.abort(new Cancelled());
    try {
      run.signal.throwIfAborted();
      const result = await asModule(module.id, () => job.run(run as never));
      await this.#ends.completed(run, job, result);
    } catch (error) {
      await this.#ends.failed(run, job, run.reason ?? legible(error));
    } finally {
      this.#active.delete(run.id);
      leave();
    }
  }
}
