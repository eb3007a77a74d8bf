import type { Knex } from 'knex';

/** Removes counters whose time is over, a few at a time and none that somebody else is about to change. */
export async function forgetExpiredCounters(sql: Knex, now: number): Promise<void> {
  await sql('rate_limits')
    .whereIn(
      'key',
      sql('rate_limits')
        .where('expire', '<', now)
        .orderBy('expire')
        .limit(20)
        .forUpdate()
        .skipLocked()
        .select('key'),
    )
    .delete();
}
