import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { HookTools, SiteRef } from './module.ts';
import type { Token } from './provider.ts';

/** Where a job stands. The last three are terminal and never change. */
export type JobStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
/** How much an event of a job matters to who reads it. */
export type EventLevel = 'info' | 'warning' | 'error';

/** What one step of a job did; absent fields stay as they were. */
export interface JobStep {
  readonly phase?: string;
  readonly message?: string;
  readonly current?: number;
  readonly total?: number;
  /** Where to go on after a crash: any JSON. Kept in the transaction of the step. */
  readonly cursor?: unknown;
}

/** A running job, as its handler sees it. */
export interface JobRun<P> {
  readonly id: string;
  readonly payload: P;
  readonly site: SiteRef;
  /** Who caused it; null for the host. */
  readonly userId: number | null;
  /** Aborts on cancel, on shutdown, and when another worker took the job over. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  get<T>(token: Token<T>): T;
  /** A setting of the job's module on its site, as it is now. */
  setting<T>(name: string): Promise<T>;
  /** What the last step recorded, also that of an earlier run; null before the first. */
  cursor<C>(): C | null;
  /**
   * One transaction: the work and the record of it. What the step did is done exactly once, if all its
   * effects are in `trx` or keyed. Throws when the job was cancelled or is no longer this worker's.
   */
  step(work: (trx: Knex.Transaction) => Promise<JobStep>): Promise<void>;
  /**
   * The last step: one transaction of the work, the result that it returns, and the job's end. For jobs whose
   * end makes something visible, so that no cancel and no crash comes between. "run" returns the result, too.
   */
  finish<R extends Readonly<Record<string, unknown>>>(
    work: (trx: Knex.Transaction) => Promise<R>,
  ): Promise<R>;
  /** Adds an event. */
  note(level: EventLevel, message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** A kind of background work: run at least once, with effects that happen once. `P` is its JSON payload. */
export interface JobDeclaration<P> {
  /** `<module>.<name>`: the type that clients see. */
  readonly id: string;
  readonly title: string;
  /**
   * `quick` for jobs of milliseconds, which are fetched many at a time; `mail` for those that wait for a mail server;
   * `calls` for those that wait for other servers, many of one site at a time, none for the end of another. So none
   * keeps the others waiting. Default `long`.
   */
  readonly lane?: 'quick' | 'long' | 'mail' | 'calls';
  /** False: a client's cancel is refused. Default true. */
  readonly cancellable?: boolean;
  /** The codes that it fails with, of its module's table. */
  readonly errors?: readonly string[];
  /** Seconds from each try that failed for a while to the next one; after the last the job fails. Default 2, 4, 8, 16. */
  readonly retryAfterSeconds?: readonly number[];
  /**
   * Does the work; what it returns is the job's result. It may begin again at any step.
   * A coded error fails the job; a transient one, a lost connection and a deadlock are tried again.
   */
  readonly run: (job: JobRun<P>) => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Undoes what a cancelled or failed run left, before the job is shown as such. An object that it returns goes with
   * the last event, as its `data`.
   */
  readonly undo?: (job: JobRun<P>) => Promise<unknown>;
  /** In the transaction that cancels a pending job, which no worker will run: gives back what it held. */
  readonly withdraw?: (job: PendingJob<P>, tools: HookTools) => Promise<void>;
}

/** A job that has not begun, or was handed back; `cursor` is what the last step recorded, null before the first. */
export interface PendingJob<P> {
  readonly id: string;
  readonly payload: P;
  readonly cursor: unknown;
}

/** A job whose payload type is no longer of interest. */
export type Job = JobDeclaration<never>;

/** Declares a job of a module. */
export function defineJob<P>(declaration: JobDeclaration<P>): Job {
  return declaration as unknown as Job;
}

/** Thrown by a job whose failure may pass: it is tried again after its `retryAfterSeconds`. A coded `cause` is what it fails with then. */
export class TransientFailure extends Error {}

/**
 * The same by a job that counts its tries itself: it goes on after so many seconds, however often that happens. Not for
 * modules in a worker of their own, where it counts as any other.
 */
export class Postponed extends TransientFailure {
  readonly seconds: number;

  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}
