import type { Knex } from 'knex';

/** Rows of one statement: no lock is held for long, whatever has gathered. */
export const perDelete = 1_000;

/** Each deletes at most `perDelete` rows that nobody needs any more, none that somebody is at, and says how many. */
async function some(sql: Knex, table: string, key: string, over: string): Promise<number> {
  return sql(table)
    .whereIn(key, sql(table).whereRaw(over).limit(perDelete).forUpdate().skipLocked().select(key))
    .delete();
}

/** Their number in the last hour is still asked for. */
export const forgetChallenges = (sql: Knex): Promise<number> =>
  some(sql, 'passwordless_challenges', 'id', `expires_at < now() - interval '1 day'`);

/** The longest window is a day. */
export const forgetLocks = (sql: Knex): Promise<number> =>
  some(
    sql,
    'passwordless_locks',
    'login_key',
    `window_start < now() - interval '2 days' and (locked_until is null or locked_until < now())`,
  );

export const forgetCounts = (sql: Knex): Promise<number> =>
  some(sql, 'passwordless_counts', 'key', 'until < now()');
