import type { Knex } from 'knex';
import { lockUntilCommit } from '../db/locks.ts';
import type { JobRow } from './job-record.ts';

/**
 * Jobs of one gate run at most `limit` at once, over all processes; the others wait in no queue. Sites take turns, and
 * within a site the oldest is next.
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

/** The site that has waited longest since one of its jobs passed; among these the oldest. */
const nextTurn = `(select max(t.passed_at) from jobs t where t.gate = jobs.gate and t.blog_id = jobs.blog_id
  and t.passed_at is not null) nulls first, created_at, job_id`;

/**
 * Lets jobs through while there is room, sites taking turns: these are to be sent. Holds the gate until the
 * transaction ends.
 */
export async function passGate(trx: Knex.Transaction, name: string): Promise<JobRow[]> {
  await lockUntilCommit(trx, `jobs gate ${name}`);
  const open = () => trx('jobs').where({ gate: name }).whereNull('completed_at');
  const counted = await open().where({ waits: false, parked: false }).count({ inside: '*' }).first();
  const inside = Number((counted as { inside: number } | undefined)?.inside ?? 0);
  const passed: JobRow[] = [];
  while (passed.length < mostAtOnce) {
    const next = (await open()
      .where({ waits: true })
      .orderByRaw(nextTurn)
      .forUpdate()
      .skipLocked()
      .first('job_id', 'gate_limit')) as { job_id: string; gate_limit: number } | undefined;
    if (!next || inside + passed.length >= next.gate_limit) break;
    const passing = { waits: false, message: '', updated_at: trx.fn.now() };
    const [row] = (await trx('jobs')
      .where('job_id', next.job_id)
      .update({ ...passing, passed_at: trx.raw('clock_timestamp()') })
      .returning('*')) as JobRow[];
    if (row) passed.push(row);
  }
  return passed;
}

/** Gates before which somebody waits. */
export const crowdedGates = (sql: Knex): Promise<string[]> =>
  sql('jobs').where({ waits: true }).whereNull('completed_at').distinct().pluck('gate');
