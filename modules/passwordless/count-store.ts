import type { Knex } from 'knex';

/** How often something may happen within a time that begins with the first. */
export interface Limit {
  /** What is counted, and of whom. */
  readonly key: string;
  readonly most: number;
  readonly seconds: number;
}

/** How far a limit is used up. */
export interface Counted extends Limit {
  readonly count: number;
  /** Whole seconds until it begins anew, at least 1. */
  readonly wait: number;
}

const wait = 'greatest(1, ceil(extract(epoch from until - clock_timestamp())))::int as wait';

interface CountRow {
  readonly key: string;
  readonly count: number;
  readonly wait: number;
}

const counted = (limits: readonly Limit[], rows: readonly CountRow[]): Counted[] =>
  limits.flatMap((limit) => {
    const row = rows.find(({ key }) => key === limit.key);
    return row ? [{ ...limit, ...row }] : [];
  });

/** Guesses by account and by address, over all processes. */
export class CountStore {
  /** Counts one for each, in one statement and always in one order; the counts stay so until the transaction ends. */
  async charge(trx: Knex.Transaction, limits: readonly Limit[]): Promise<Counted[]> {
    const sorted = [...limits].sort((a, b) => (a.key < b.key ? -1 : 1));
    const { rows } = (await trx.raw(
      `insert into passwordless_counts as c (key, count, until)
       select key, 1, clock_timestamp() + make_interval(secs => seconds)
         from unnest(?::text[], ?::int[]) as wanted (key, seconds)
       on conflict (key) do update set
         count = case when c.until <= clock_timestamp() then 1 else c.count + 1 end,
         until = case when c.until <= clock_timestamp() then excluded.until else c.until end
       returning key, count, ${wait}`,
      [sorted.map(({ key }) => key), sorted.map(({ seconds }) => seconds)],
    )) as { rows: CountRow[] };
    return counted(limits, rows);
  }

  /** Takes one back of each: the guess was right. */
  async giveBack(trx: Knex.Transaction, limits: readonly Limit[]): Promise<void> {
    await trx('passwordless_counts')
      .whereIn(
        'key',
        limits.map(({ key }) => key),
      )
      .decrement('count', 1);
  }

  /** Those that are used up, without waiting for whoever counts. */
  async full(sql: Knex, limits: readonly Limit[]): Promise<Counted[]> {
    const rows = (await sql('passwordless_counts')
      .whereIn(
        'key',
        limits.map(({ key }) => key),
      )
      .whereRaw('until > clock_timestamp()')
      .select('key', 'count', sql.raw(wait))) as CountRow[];
    return counted(limits, rows).filter(({ count, most }) => count >= most);
  }
}
