import type { Knex } from 'knex';
import type { EventLevel, JobStep } from '../api/job.ts';
import type { JobEventRow, JobRow } from './job-record.ts';

/** A run that another worker took over, or whose job has ended: it must stop and write nothing. */
export class RunLost extends Error {}

/** Every change of a job and the notice of it, one transaction each, decided by the row that it changes. */

/** Tells every process; part of the transaction of the change. */
export async function notifyJob(sql: Knex, jobId: string): Promise<void> {
  await sql.raw(`select pg_notify('lyceum', json_build_object('kind', 'job', 'id', ?::text)::text)`, [jobId]);
}

export async function addEvent(
  sql: Knex,
  row: JobRow,
  level: EventLevel,
  message: string,
  data: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  const { percent, current, total } = row;
  await sql('job_events').insert({
    job_id: row.job_id,
    level,
    phase: row.phase,
    message,
    progress: JSON.stringify({ percent, current, total }),
    data: data === null ? null : JSON.stringify(data),
  });
}

async function changed(trx: Knex, query: Knex.QueryBuilder): Promise<JobRow | null> {
  const [row] = (await query.update('updated_at', trx.fn.now()).returning('*')) as JobRow[];
  if (row) await notifyJob(trx, row.job_id);
  return row ?? null;
}

const open = (trx: Knex, jobId: string) =>
  trx<JobRow>('jobs').where('job_id', jobId).whereNull('completed_at');

/** Starts a run. A job that was still running lost its worker. Null when it has ended meanwhile. */
export function beginRun(trx: Knex, jobId: string, token: string): Promise<JobRow | null> {
  return changed(
    trx,
    open(trx, jobId).update({
      losses: trx.raw(`losses + (status = 'running')::int`),
      status: 'running',
      run_token: token,
      parked: false,
      message: '',
    } as never),
  );
}

/** The row, locked, while the run is still this one. */
export async function lockRun(trx: Knex, jobId: string, token: string): Promise<JobRow> {
  const row = await open(trx, jobId).where({ run_token: token, status: 'running' }).forUpdate().first();
  if (!row) throw new RunLost('The job is no longer this run of it.');
  return row as JobRow;
}

/** Records a step of a locked run. Percent never falls, and is 100 only at the end. */
export async function recordStep(trx: Knex, row: JobRow, step: JobStep): Promise<JobRow> {
  const current = step.current ?? row.current;
  const total = step.total ?? row.total;
  const share = total > 0 ? Math.floor((100 * current) / total) : 0;
  const next = await changed(
    trx,
    trx('jobs')
      .where('job_id', row.job_id)
      .update({
        current,
        total,
        percent: Math.min(99, Math.max(row.percent, share)),
        phase: step.phase ?? row.phase,
        message: step.message ?? row.message,
        ...(step.cursor === undefined ? {} : { cursor: JSON.stringify(step.cursor) }),
      }),
  );
  if (!next) throw new RunLost('The job is gone.');
  return next;
}

export interface Outcome {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly message: string;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Goes with the last event. */
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/** Ends a run; false when it is no longer this one. */
export async function endRun(trx: Knex, jobId: string, token: string, outcome: Outcome): Promise<boolean> {
  const row = await changed(
    trx,
    open(trx, jobId)
      .where('run_token', token)
      .update({
        status: outcome.status,
        message: outcome.message,
        result: outcome.result === null ? null : JSON.stringify(outcome.result),
        error: outcome.error === null ? null : JSON.stringify(outcome.error),
        ...(outcome.status === 'completed' ? { percent: 100 } : {}),
        run_token: null,
        completed_at: trx.fn.now(),
      } as never),
  );
  if (row) await addEvent(trx, row, outcome.error ? 'error' : 'info', outcome.message, outcome.data ?? null);
  return row !== null;
}

/** Gives a running job back: it is pending again, with the message that says why. */
export async function giveBack(
  trx: Knex,
  jobId: string,
  token: string,
  change: { readonly message: string; readonly tries: number; readonly parked: boolean },
): Promise<boolean> {
  const row = await changed(
    trx,
    open(trx, jobId)
      .where('run_token', token)
      .update({ status: 'pending', run_token: null, ...change } as never),
  );
  return row !== null;
}

/** Puts a job aside that cannot run while its module is off: it takes no place in the queue meanwhile. */
export async function parkJob(trx: Knex, { job_id, module }: JobRow): Promise<void> {
  await trx('jobs')
    .where({ job_id })
    .whereNull('completed_at')
    .update({
      status: 'pending',
      run_token: null,
      parked: true,
      message: `Module ${module} is disabled.`,
      updated_at: trx.fn.now(),
    });
}

/** A pending job ends at once, a running one is asked to; null when it has ended. */
export async function requestCancel(trx: Knex, jobId: string): Promise<JobRow | null> {
  const row = (await open(trx, jobId).forUpdate().first()) as JobRow | undefined;
  if (!row) return null;
  if (row.status === 'running') {
    return changed(trx, open(trx, jobId).update({ cancel_requested: true, message: 'Cancelling.' } as never));
  }
  const ended = await changed(
    trx,
    open(trx, jobId).update({
      status: 'cancelled',
      message: 'Cancelled.',
      parked: false,
      waits: false,
      completed_at: trx.fn.now(),
    } as never),
  );
  if (ended) await addEvent(trx, ended, 'info', 'Cancelled.', null);
  return ended;
}

export const findJob = async (sql: Knex, jobId: string): Promise<JobRow | null> =>
  ((await sql('jobs').where('job_id', jobId).first()) as JobRow | undefined) ?? null;

export const listEvents = (sql: Knex, jobId: string, after: number, limit: number): Promise<JobEventRow[]> =>
  sql('job_events').where('job_id', jobId).where('id', '>', after).orderBy('id').limit(limit) as never;
