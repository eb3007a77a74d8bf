import type { Knex } from 'knex';
import type { EventLevel } from '../api/job.ts';
import type { Database } from '../db/database.ts';
import { type JobEventRow, type JobRow, jobColumns } from './job-record.ts';

/** A run that another worker took over, or whose job has ended: it must stop and write nothing. */
export class RunLost extends Error {}

/**
 * Every change of a job outside of its runs and the notice of it, one transaction each, decided by the row that it
 * changes.
 */

/**
 * A notice to every process, part of the transaction of the change; names the run, so that a worker knows its own
 * without a look. To be selected from `jobs` or from what a change of it returned.
 */
export const told = `pg_notify('lyceum', json_build_object(
  'kind', 'job', 'id', job_id, 'run', run_token, 'cancel', cancel_requested)::text) as told`;

/** An event of the job as it is in `source`, of columns `level`, `message` and `data`. */
export const insertEvent = (level: string, message: string, data: string, source: string): string =>
  `insert into job_events (job_id, level, phase, message, progress, data)
    select job_id, ${level}, phase, ${message},
      jsonb_build_object('percent', percent, 'current', current, 'total', total), ${data} from ${source}`;

const insertText = `with inserted as (
    insert into jobs (job_id, ticket, type, module, lane, user_id, network_id, blog_id, payload, cancellable,
      gate, gate_limit, waits, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text, $12, $11 is not null, clock_timestamp())
    returning *
  ), noted as (${insertEvent("'info'", "'Enqueued.'", 'null', 'inserted')})
  select ${jobColumns} from inserted`;

/** What a new row is made of: `ticket` is null for a job that begins before its gate. */
export type NewRow = Pick<
  JobRow,
  | 'job_id'
  | 'ticket'
  | 'type'
  | 'module'
  | 'lane'
  | 'user_id'
  | 'network_id'
  | 'blog_id'
  | 'payload'
  | 'cancellable'
  | 'gate'
  | 'gate_limit'
>;

/** A pending job with its first event. */
export async function insertJob(db: Database, trx: Knex.Transaction, job: NewRow): Promise<JobRow> {
  const values = [
    ...[job.job_id, job.ticket, job.type, job.module, job.lane, job.user_id, job.network_id, job.blog_id],
    ...[JSON.stringify(job.payload), job.cancellable, job.gate, job.gate_limit],
  ];
  const [row] = await db.named<JobRow>({ name: 'jobs-insert', text: insertText }, values, trx);
  if (!row) throw new Error('The insertion of a job returned no row.');
  return row;
}

/** Tells of a job that was changed in this transaction. */
export async function notifyJob(trx: Knex, jobId: string): Promise<void> {
  await trx.raw(`select ${told} from jobs where job_id = ?`, [jobId]);
}

const open = (trx: Knex, jobId: string) =>
  trx<JobRow>('jobs').where('job_id', jobId).whereNull('completed_at');

async function changed(
  trx: Knex,
  query: Knex.QueryBuilder,
  change: Readonly<Record<string, unknown>>,
): Promise<JobRow | null> {
  const [row] = (await query
    .update({ ...change, updated_at: trx.fn.now() } as never)
    .returning('*')) as JobRow[];
  if (row) await notifyJob(trx, row.job_id);
  return row ?? null;
}

async function addEvent(trx: Knex, jobId: string, level: EventLevel, message: string): Promise<void> {
  await trx.raw(insertEvent('?', '?', 'null', 'jobs where job_id = ?'), [level, message, jobId]);
}

/** The ticket by which the job waits from now on: an older one that is still about takes nobody anywhere. */
export async function giveTicket(trx: Knex.Transaction, jobId: string, ticket: string): Promise<void> {
  await trx('jobs').where({ job_id: jobId }).update({ ticket });
}

/**
 * Puts a job aside that cannot run while its module is off: it takes no place in the queue meanwhile. False when it
 * is no longer what the ticket stands for.
 */
export async function parkJob(trx: Knex.Transaction, row: JobRow): Promise<boolean> {
  const parked = await changed(trx, open(trx, row.job_id).where({ ticket: row.ticket }), {
    status: 'pending',
    run_token: null,
    ticket: null,
    parked: true,
    message: `Module ${row.module} is disabled.`,
  });
  return parked !== null;
}

/** A pending job ends at once, a running one is asked to; null when it has ended. */
export async function requestCancel(trx: Knex, jobId: string): Promise<JobRow | null> {
  const row = (await open(trx, jobId).forUpdate().first()) as JobRow | undefined;
  if (!row) return null;
  if (row.status === 'running') {
    if (row.cancel_requested) return row;
    return changed(trx, open(trx, jobId), { cancel_requested: true, message: 'Cancelling.' });
  }
  const ended = await changed(trx, open(trx, jobId), {
    status: 'cancelled',
    message: 'Cancelled.',
    parked: false,
    waits: false,
    ticket: null,
    completed_at: trx.fn.now(),
  });
  if (ended) await addEvent(trx, jobId, 'info', 'Cancelled.');
  return ended;
}

const findText = `select ${jobColumns} from jobs where job_id = $1`;

export const findJob = async (db: Database, jobId: string): Promise<JobRow | null> =>
  (await db.named<JobRow>({ name: 'jobs-find', text: findText }, [jobId]))[0] ?? null;

export const listEvents = (sql: Knex, jobId: string, after: number, limit: number): Promise<JobEventRow[]> =>
  sql('job_events').where('job_id', jobId).where('id', '>', after).orderBy('id').limit(limit) as never;
