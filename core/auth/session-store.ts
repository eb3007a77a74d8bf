import type { Knex } from 'knex';

export interface SessionRow {
  readonly token_hash: Buffer;
  readonly user_id: number;
  readonly remember: boolean;
  readonly ip: string;
  readonly user_agent: string;
}

/** Rows of cookie sessions; tokens are known to their clients alone. */
export class SessionStore {
  /** Writes a session that lives so many seconds, and forgets a few expired ones of whomever. */
  async insert(sql: Knex, row: SessionRow, seconds: number): Promise<void> {
    await sql('sessions')
      .whereIn(
        'token_hash',
        sql('sessions')
          .where('expires_at', '<', sql.fn.now())
          .orderBy('expires_at')
          .limit(20)
          .forUpdate()
          .skipLocked()
          .select('token_hash'),
      )
      .delete();
    await sql('sessions').insert({
      ...row,
      expires_at: sql.raw('now() + make_interval(secs => ?)', [seconds]),
    });
  }

  /** When the session ends; null when it is gone. */
  async expiry(sql: Knex, tokenHash: Buffer): Promise<string | null> {
    const row = await sql('sessions').where({ token_hash: tokenHash }).first('expires_at');
    return (row as { expires_at: string } | undefined)?.expires_at ?? null;
  }

  async remove(sql: Knex, tokenHash: Buffer): Promise<void> {
    await sql('sessions').where({ token_hash: tokenHash }).delete();
  }

  /** All sessions of the user but the one to keep. */
  async removeOthers(sql: Knex, userId: number, keep: Buffer | null): Promise<void> {
    const others = sql('sessions').where({ user_id: userId });
    if (keep) others.whereNot({ token_hash: keep });
    await others.delete();
  }
}
