import type { Knex } from 'knex';

/** How a login stands: its wrong codes of the current window, and for how long it is locked. */
export interface LockState {
  readonly failures: number;
  /** Whole seconds; 0 when it is open. */
  readonly lockedFor: number;
}

const secondsTo = (column: string): string =>
  `greatest(0, ceil(extract(epoch from ${column} - clock_timestamp())))::int`;

/** Wrong codes by login, over all sites and processes. */
export class LockStore {
  /**
   * Whoever holds the row decides alone about this login until his transaction ends.
   * @param windowSeconds failures of an older window are forgotten
   */
  async hold(trx: Knex.Transaction, key: Buffer, windowSeconds: number): Promise<LockState> {
    const { rows } = (await trx.raw(
      `insert into passwordless_locks as l (login_key) values (:key)
       on conflict (login_key) do update set login_key = excluded.login_key
       returning
         case when l.window_start <= clock_timestamp() - make_interval(secs => :windowSeconds)
           or l.locked_until <= clock_timestamp() then 0 else l.failures end as failures,
         coalesce(${secondsTo('l.locked_until')}, 0) as "lockedFor"`,
      { key, windowSeconds },
    )) as { rows: LockState[] };
    const [state] = rows;
    if (!state) throw new Error('A lock was not written.');
    return state;
  }

  /** Whole seconds that the login is locked for, without waiting for whoever decides about it. */
  async lockedFor(sql: Knex, key: Buffer): Promise<number> {
    const row = (await sql('passwordless_locks')
      .where({ login_key: key })
      .whereRaw('locked_until > clock_timestamp()')
      .first(sql.raw(`${secondsTo('locked_until')} as wait`))) as { wait: number } | undefined;
    return row?.wait ?? 0;
  }

  /** Writes one more failure than there were; a held row. @param lockSeconds null leaves the login open */
  async fail(
    trx: Knex.Transaction,
    key: Buffer,
    failures: number,
    lockSeconds: number | null,
  ): Promise<void> {
    await trx('passwordless_locks')
      .where({ login_key: key })
      .update({
        failures,
        ...(failures === 1 ? { window_start: trx.raw('clock_timestamp()') } : {}),
        locked_until:
          lockSeconds === null
            ? null
            : trx.raw('clock_timestamp() + make_interval(secs => ?)', [lockSeconds]),
      });
  }

  /** Forgets the failures; a held row. */
  async reset(trx: Knex.Transaction, key: Buffer): Promise<void> {
    await trx('passwordless_locks').where({ login_key: key }).update({ failures: 0, locked_until: null });
  }
}
