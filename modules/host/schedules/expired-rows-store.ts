import type { Knex } from 'knex';

/** Rows of one statement: no lock is held for long, whatever has gathered. */
export const perDelete = 1_000;

export interface NetworkPlace {
  readonly network_id: number;
  readonly root_blog_id: number;
}

/** All networks, each with its main site. */
export const networks = (sql: Knex): Promise<NetworkPlace[]> =>
  sql('networks')
    .whereNotNull('root_blog_id')
    .orderBy('network_id')
    .select('network_id', 'root_blog_id') as never;

/** Each deletes at most `perDelete` rows that nobody needs any more, and says how many. */
export type Forget = (sql: Knex) => Promise<number>;

const some = (sql: Knex, table: string, key: string, where: (query: Knex.QueryBuilder) => void) => {
  const chosen = sql(table).select(key).limit(perDelete);
  where(chosen);
  return sql(table).whereIn(key, chosen).delete() as unknown as Promise<number>;
};

/** Jobs of the network that ended before a time, with their events. */
export const forgetJobs =
  (networkId: number, before: Date): Forget =>
  (sql) =>
    some(sql, 'jobs', 'job_id', (query) =>
      query.where('network_id', networkId).where('completed_at', '<', before),
    );

/** Audit rows of the network from before a time. */
export const forgetAudit =
  (networkId: number, before: Date): Forget =>
  (sql) =>
    some(sql, 'audit_log', 'id', (query) => query.where('network_id', networkId).where('at', '<', before));

/** Audit rows that belong to no network that there is. */
export const forgetLostAudit =
  (before: Date): Forget =>
  (sql) =>
    some(sql, 'audit_log', 'id', (query) =>
      query
        .where('at', '<', before)
        .where((lost) =>
          lost.whereNull('network_id').orWhereNotIn('network_id', sql('networks').select('network_id')),
        ),
    );

export const forgetSessions =
  (now: Date): Forget =>
  (sql) =>
    some(sql, 'sessions', 'token_hash', (query) => query.where('expires_at', '<', now));

export const forgetRateLimits =
  (now: Date): Forget =>
  (sql) =>
    some(sql, 'rate_limits', 'key', (query) => query.where('expire', '<', now.getTime()));

/** Kept answers have a key of four columns. */
export const forgetAnswers =
  (now: Date): Forget =>
  async (sql) => {
    const result = (await sql.raw(
      `delete from idempotency_keys where ctid = any(array(
         select ctid from idempotency_keys where expires_at < ? limit ?))`,
      [now, perDelete],
    )) as { rowCount: number };
    return result.rowCount;
  };
