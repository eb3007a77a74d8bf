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

/** A run to be begun. */
export interface Beginning {
  readonly jobId: string;
  readonly ticket: string;
  readonly token: string;
}

const beginText = `with begun as (
    update jobs j set losses = losses + (status = 'running' and run_token is distinct from x.token)::int,
      status = 'running', run_token = x.token, updated_at = now(),
      message = case when cancel_requested then 'Cancelling.' else '' end
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as x (id, ticket, token)
    where j.job_id = x.id and j.ticket = x.ticket and completed_at is null
    returning j.*
  ) select ${jobColumns}, ${told} from begun`;

/**
 * Starts runs. A job that was still running lost its worker. Null for one that has ended meanwhile, or waits by
 * another ticket than this.
 */
export async function beginRuns(db: Database, runs: readonly Beginning[]): Promise<(JobRow | null)[]> {
  const values = [
    runs.map(({ jobId }) => jobId),
    runs.map(({ ticket }) => ticket),
    runs.map(({ token }) => token),
  ];
  const rows = await db.named<JobRow>({ name: 'jobs-begin', text: beginText }, values);
  const begun = new Map(rows.map((row) => [row.run_token, row]));
  return runs.map(({ token }) => begun.get(token) ?? null);
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

/** A run to be ended. */
export interface Ending {
  readonly jobId: string;
  readonly token: string;
  readonly outcome: Outcome;
}

const endText = `with asked as (
    select * from jsonb_to_recordset($1::text::jsonb) as x (id uuid, token uuid, new_status text, said text,
      outcome jsonb, failure jsonb, level text, data jsonb, whatever_asked boolean)
  ), ended as (
    update jobs set status = new_status, message = said, result = outcome, error = failure, run_token = null,
      percent = case when new_status = 'completed' then 100 else percent end, ticket = null,
      updated_at = now(), completed_at = now()
    from asked
    where job_id = id and run_token = token and completed_at is null and (whatever_asked or not cancel_requested)
    returning jobs.*, level, data
  ), noted as (${insertEvent('level', 'message', 'data', 'ended')})
  select job_id, ${told} from ended`;

/** Ends runs; false for one that is no longer it, or whose end was asked for while this is another one. */
export async function endRuns(
  db: Database,
  trx: Knex.Transaction | undefined,
  endings: readonly Ending[],
): Promise<boolean[]> {
  const asked = endings.map(({ jobId, token, outcome }) => ({
    ...{ id: jobId, token, new_status: outcome.status, said: outcome.message, outcome: outcome.result },
    ...{ failure: outcome.error, level: outcome.error ? 'error' : 'info', data: outcome.data ?? null },
    whatever_asked: outcome.status === 'cancelled' || outcome.whateverAsked === true,
  }));
  const text = JSON.stringify(asked);
  const rows = await db.named<{ job_id: string }>({ name: 'jobs-end', text: endText }, [text], trx);
  const ended = new Set(rows.map(({ job_id }) => job_id));
  return endings.map(({ jobId }) => ended.has(jobId));
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

/** Gives a running job back: it is pending again, with the message that says why. False as for `endRuns`. */
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
