import type { Knex } from 'knex';
import type { JobRow } from './job-record.ts';

/** Seconds that a job's row must have been as it is: longer than a silent worker keeps its ticket. */
const quietSeconds = 15;

/**
 * Open jobs that nobody has while their row says otherwise: `running`, though the queue took the ticket from a silent
 * worker, or waiting by a ticket that is no more. Skips rows that somebody is just at.
 */
const lostText = `with lost as (
    select j.job_id, t.id is not null and t.state in ('created', 'retry', 'active') as waits_in_queue
    from jobs j left join pgboss.job t on t.name = j.lane and t.id = j.ticket
    where j.completed_at is null and not j.parked and not j.waits
      and j.updated_at < now() - make_interval(secs => ?)
      and (t.id is null or t.state not in ('created', 'retry', 'active')
        or (j.status = 'running' and t.state <> 'active'))
    for update of j skip locked
  )
  update jobs set losses = losses + (status = 'running')::int, status = 'pending', run_token = null,
    ticket = case when waits_in_queue then ticket end, message = '', updated_at = now()
  from lost where jobs.job_id = lost.job_id
  returning jobs.*`;

/** Makes lost jobs pending; those without a ticket are to be sent again. */
export async function recoverLost(trx: Knex.Transaction): Promise<JobRow[]> {
  const { rows } = (await trx.raw(lostText, [quietSeconds])) as { rows: JobRow[] };
  return rows;
}
