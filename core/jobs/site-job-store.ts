import type { Knex } from 'knex';
import { insertEvent, told } from './job-store.ts';

/** Those that have not ended. */
const openOf = (sql: Knex, blogId: number) =>
  sql('jobs').where('blog_id', blogId).whereIn('status', ['pending', 'running']);

/** Jobs that have not ended, with their rows kept as they are until the transaction ends. */
export async function lockOpenJobs(trx: Knex.Transaction, blogId: number): Promise<void> {
  await openOf(trx, blogId).orderBy('job_id').forUpdate().select('job_id');
}

/** Ids of jobs that have not ended, oldest first, at most so many. */
export async function openJobs(sql: Knex, blogId: number, limit: number): Promise<string[]> {
  return (await openOf(sql, blogId).orderBy('created_at').limit(limit).pluck('job_id')) as string[];
}

const pendingEnds = `with ended as (
    update jobs set status = 'cancelled', message = 'Cancelled.', parked = false, ticket = null,
      updated_at = now(), completed_at = now()
    where blog_id = ? and status = 'pending' and gate is null and type <> all(?::text[])
    returning *
  ), noted as (${insertEvent("'info'", "'Cancelled.'", 'null', 'ended')})
  select count(told) from (select ${told} from ended) each`;

/** Ends pending jobs of a site in one statement, each with its event and notice; not those of these types. */
export async function endPending(
  trx: Knex.Transaction,
  blogId: number,
  except: readonly string[],
): Promise<void> {
  await trx.raw(pendingEnds, [blogId, [...except]]);
}

/** Ids of open jobs that nobody has asked to end. */
export async function unaskedJobs(trx: Knex.Transaction, blogId: number): Promise<string[]> {
  const unasked = openOf(trx, blogId).where('cancel_requested', false);
  return (await unasked.orderBy('job_id').pluck('job_id')) as string[];
}
