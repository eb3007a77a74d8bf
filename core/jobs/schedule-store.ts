import type { Knex } from 'knex';

/** Seconds that a turn is believed to run without a sign of life. */
export const turnSeconds = 60;

const until = (sql: Knex) => sql.raw('now() + make_interval(secs => ?)', [turnSeconds]);

/** Makes rows for schedules that have none: they are due at once. */
export async function addSchedules(sql: Knex, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql('schedules')
    .insert(ids.map((id) => ({ id, next_at: sql.fn.now() })))
    .onConflict('id')
    .ignore();
}

/** Takes the turns that are due and that nobody has; one statement, so that no two processes get the same. */
export async function takeDue(sql: Knex, ids: readonly string[], turn: string): Promise<string[]> {
  return takeWhere(sql, ids, turn, 'next_at <= now()');
}

/** Takes a turn that is not due yet, unless somebody has it. */
export async function takeNow(sql: Knex, id: string, turn: string): Promise<boolean> {
  return (await takeWhere(sql, [id], turn, 'true')).length > 0;
}

async function takeWhere(sql: Knex, ids: readonly string[], turn: string, due: string): Promise<string[]> {
  const rows = (await sql('schedules')
    .whereIn('id', ids)
    .whereRaw(due)
    .whereRaw('coalesce(turn_until < now(), true)')
    .update({ turn, turn_until: until(sql) })
    .returning('id')) as { id: string }[];
  return rows.map(({ id }) => id);
}

/** False when the turn is no longer this one. */
export async function keepTurn(sql: Knex, id: string, turn: string): Promise<boolean> {
  const kept = await sql('schedules')
    .where({ id, turn })
    .update({ turn_until: until(sql) });
  return kept > 0;
}

/** Ends a turn; the next one is due after so many seconds. */
export async function endTurn(sql: Knex, id: string, turn: string, seconds: number): Promise<void> {
  await sql('schedules')
    .where({ id, turn })
    .update({
      turn: null,
      turn_until: null,
      next_at: sql.raw('now() + make_interval(secs => ?)', [seconds]),
    });
}

/** Seconds until one of these is due, or may be taken from a process that is gone; 0 for now. */
export async function secondsToNext(sql: Knex, ids: readonly string[]): Promise<number> {
  const row = (await sql('schedules')
    .whereIn('id', ids)
    .first(sql.raw('extract(epoch from min(greatest(next_at, turn_until)) - now())::float8 as seconds'))) as
    | { seconds: number | null }
    | undefined;
  return Math.max(0, row?.seconds ?? 0);
}
