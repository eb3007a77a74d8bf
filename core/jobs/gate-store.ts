import type { Knex } from 'knex';
import { lockUntilCommit } from '../db/locks.ts';
import type { JobRow } from './job-record.ts';

/**
 * Jobs of one gate run at most `limit` at once, over all processes; the others wait in the order in which they
 * came, and in no queue.
 */
export interface JobGate {
  readonly name: string;
  readonly limit: number;
}

/** As many at most pass at once: no gate is wider. */
const mostAtOnce = 100;

/** Makes the newest word about the limit that of all who wait. */
export async function setGateLimit(trx: Knex.Transaction, { name, limit }: JobGate): Promise<void> {
  // Skipping locked rows: somebody who ends one of them may wait for the gate.
  const waiting = trx('jobs').where({ gate: name, waits: true }).whereNull('completed_at');
  await trx('jobs')
    .whereIn('job_id', waiting.whereNot({ gate_limit: limit }).forUpdate().skipLocked().select('job_id'))
    .update({ gate_limit: limit });
}

/** Lets jobs through while there is room: these are to be sent. Holds the gate until the transaction ends. */
export async function passGate(trx: Knex.Transaction, name: string): Promise<JobRow[]> {
  await lockUntilCommit(trx, `jobs gate ${name}`);
  const open = () => trx('jobs').where({ gate: name }).whereNull('completed_at');
  const counted = await open().where({ waits: false, parked: false }).count({ inside: '*' }).first();
  const inside = Number((counted as { inside: number } | undefined)?.inside ?? 0);
  const waiting = (await open()
    .where({ waits: true })
    .orderBy(['created_at', 'job_id'])
    .limit(mostAtOnce)
    .forUpdate()
    .skipLocked()
    .select('job_id', 'gate_limit')) as { job_id: string; gate_limit: number }[];
  const passing = waiting.filter(({ gate_limit }, at) => inside + at < gate_limit);
  if (passing.length === 0) return [];
  return (await trx('jobs')
    .whereIn(
      'job_id',
      passing.map(({ job_id }) => job_id),
    )
    .update({ waits: false, message: '', updated_at: trx.fn.now() })
    .returning('*')) as JobRow[];
}

/** Gates before which somebody waits. */
export const crowdedGates = (sql: Knex): Promise<string[]> =>
  sql('jobs').where({ waits: true }).whereNull('completed_at').distinct().pluck('gate');
