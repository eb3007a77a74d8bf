import type { Knex } from 'knex';
import type { EventLevel, JobStep } from '../api/job.ts';
import type { Database } from '../db/database.ts';
import { type JobRow, jobColumns } from './job-record.ts';
import { insertEvent, RunLost, told } from './job-store.ts';

/**
 * What a run writes. Each change, its event and its notice are one prepared statement: at 800 small jobs in a second
 * the round trips are what counts. Every one is fenced by the ticket or by the token of the run.
 */

/** A job that a ticket names, and how new the states must be by which it is judged. */
export interface TakenRow extends JobRow {
  readonly revision: number;
}

const takenText = `select ${jobColumns}, (select revision from installation) as revision from jobs
  where job_id = any($1) and completed_at is null`;

/** The jobs of these ids that have not ended. */
export const findTaken = (db: Database, jobIds: readonly string[]): Promise<TakenRow[]> =>
  db.named<TakenRow>({ name: 'jobs-taken', text: takenText }, [jobIds]);

const beginText = `with begun as (
    update jobs set losses = losses + (status = 'running' and run_token is distinct from $3)::int,
      status = 'running', run_token = $3, updated_at = now(),
      message = case when cancel_requested then 'Cancelling.' else '' end
    where job_id = $1 and ticket = $2 and completed_at is null
    returning *
  ) select ${jobColumns}, ${told} from begun`;

/**
 * Starts a run. A job that was still running lost its worker. Null when it has ended meanwhile, or waits by another
 * ticket than this.
 */
export async function beginRun(
  db: Database,
  jobId: string,
  ticket: string,
  token: string,
): Promise<JobRow | null> {
  const [row] = await db.named<JobRow>({ name: 'jobs-begin', text: beginText }, [jobId, ticket, token]);
  return row ?? null;
}

const lockText = `select ${jobColumns} from jobs
  where job_id = $1 and run_token = $2 and completed_at is null for update`;

/** The row, locked, while the run is still this one. */
export async function lockRun(
  db: Database,
  trx: Knex.Transaction,
  jobId: string,
  token: string,
): Promise<JobRow> {
  const [row] = await db.named<JobRow>({ name: 'jobs-lock', text: lockText }, [jobId, token], trx);
  if (!row) throw new RunLost('The job is no longer this run of it.');
  return row;
}

const stepText = `with stepped as (
    update jobs set current = $2, total = $3, percent = $4, phase = $5, message = $6,
      cursor = case when $7 then $8::jsonb else cursor end, updated_at = now()
    where job_id = $1 returning *
  ), noted as (${insertEvent("'info'", 'message', 'null', 'stepped where $9')})
  select ${jobColumns}, ${told} from stepped`;

/** Records a step of a locked run. Percent never falls, and is 100 only at the end. */
export async function recordStep(
  db: Database,
  trx: Knex.Transaction,
  row: JobRow,
  step: JobStep,
  withEvent: (phase: string) => boolean,
): Promise<JobRow> {
  const current = step.current ?? row.current;
  const total = step.total ?? row.total;
  const phase = step.phase ?? row.phase;
  const share = total > 0 ? Math.floor((100 * current) / total) : 0;
  const percent = Math.min(99, Math.max(row.percent, share));
  const hasCursor = step.cursor !== undefined;
  const cursor = hasCursor ? JSON.stringify(step.cursor) : null;
  const values = [
    ...[row.job_id, current, total, percent, phase, step.message ?? row.message],
    ...[hasCursor, cursor, withEvent(phase)],
  ];
  const [next] = await db.named<JobRow>({ name: 'jobs-step', text: stepText }, values, trx);
  if (!next) throw new RunLost('The job is gone.');
  return next;
}

const noteText = `with run as (
    select * from jobs where job_id = $1 and run_token = $2 and completed_at is null for update
  ) ${insertEvent('$3', '$4', '$5::jsonb', 'run')}`;

/** Adds an event while the run lasts: what has ended says nothing more. */
export async function noteRun(
  db: Database,
  jobId: string,
  token: string,
  level: EventLevel,
  message: string,
  data: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  const values = [jobId, token, level, message, data === null ? null : JSON.stringify(data)];
  await db.named({ name: 'jobs-note', text: noteText }, values);
}

export interface Outcome {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly message: string;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Goes with the last event. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** True: also when somebody asked for the job's end meanwhile, whom `cancelled` was promised. */
  readonly whateverAsked?: boolean;
}

const endText = `with ended as (
    update jobs set status = $3, message = $4, result = $5::jsonb, error = $6::jsonb, run_token = null,
      percent = case when $3 = 'completed' then 100 else percent end, ticket = null,
      updated_at = now(), completed_at = now()
    where job_id = $1 and run_token = $2 and completed_at is null and ($9 or not cancel_requested)
    returning *
  ), noted as (${insertEvent('$7', '$4', '$8::jsonb', 'ended')})
  select ${told} from ended`;

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Ends a run; false when it is no longer this one, or when its end was asked for and this is another one. */
export async function endRun(
  db: Database,
  trx: Knex.Transaction | undefined,
  jobId: string,
  token: string,
  outcome: Outcome,
): Promise<boolean> {
  const { status, message, result, error, data } = outcome;
  const values = [
    ...[jobId, token, status, message, json(result), json(error)],
    ...[
      error ? 'error' : 'info',
      json(data ?? null),
      status === 'cancelled' || outcome.whateverAsked === true,
    ],
  ];
  return (await db.named({ name: 'jobs-end', text: endText }, values, trx)).length > 0;
}

const returnText = `with returned as (
    update jobs set status = 'pending', run_token = null, ticket = $3, tries = $4, updated_at = now(),
      message = case when cancel_requested then message else $5 end
    where job_id = $1 and run_token = $2 and completed_at is null and ($6 or not cancel_requested)
    returning *
  ) select ${told} from returned`;

export interface Return {
  /** The one that it is to be sent with in the same transaction. */
  readonly ticket: string;
  readonly message: string;
  readonly tries: number;
  /** True: also when somebody asked for its end meanwhile; the next run sees to that. */
  readonly whateverAsked: boolean;
}

/** Gives a running job back: it is pending again, with the message that says why. False as for `endRun`. */
export async function returnRun(
  db: Database,
  trx: Knex.Transaction,
  jobId: string,
  token: string,
  { ticket, message, tries, whateverAsked }: Return,
): Promise<boolean> {
  const values = [jobId, token, ticket, tries, message, whateverAsked];
  return (await db.named({ name: 'jobs-return', text: returnText }, values, trx)).length > 0;
}
