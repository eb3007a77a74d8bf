import type { Knex } from 'knex';

export interface NewConnectToken {
  readonly token_hash: Buffer;
  readonly blog_id: number;
  readonly user_id: number;
  readonly label: string | null;
  /** Seconds. */
  readonly lifetime: number;
}

const live = 'used_at is null and expires_at > clock_timestamp()';

/** Tokens that make a connection once. */
export class ConnectTokenStore {
  /** The time until which it is good. */
  async insert(trx: Knex.Transaction, { lifetime, ...token }: NewConnectToken): Promise<string> {
    const expires_at = trx.raw('clock_timestamp() + make_interval(secs => ?)', [lifetime]);
    const [row] = (await trx('studio_connect_tokens')
      .insert({ ...token, expires_at })
      .returning('expires_at')) as { expires_at: string }[];
    if (!row) throw new Error('The insertion of a connect token returned no row.');
    return row.expires_at;
  }

  /** Deletes the user's live tokens but the newest so many; his account is locked by whoever adds one. */
  async dropOldest(trx: Knex.Transaction, userId: number, keep: number): Promise<void> {
    const kept = trx('studio_connect_tokens')
      .where({ user_id: userId })
      .whereRaw(live)
      .orderBy('id', 'desc')
      .limit(keep)
      .select('id');
    await trx('studio_connect_tokens')
      .where({ user_id: userId })
      .whereRaw(live)
      .whereNotIn('id', kept)
      .delete();
  }

  /** Whose it is, while it is good on the site; it stays as it is. */
  async find(sql: Knex, blogId: number, tokenHash: Buffer): Promise<number | null> {
    const row = await sql('studio_connect_tokens')
      .where({ token_hash: tokenHash, blog_id: blogId })
      .whereRaw(live)
      .first('user_id');
    return (row as { user_id: number } | undefined)?.user_id ?? null;
  }

  /** Uses it up, in one statement that decides and acts: of any number at once one is told true. */
  async spend(trx: Knex.Transaction, blogId: number, tokenHash: Buffer): Promise<boolean> {
    const spent = await trx('studio_connect_tokens')
      .where({ token_hash: tokenHash, blog_id: blogId })
      .whereRaw(live)
      .update({ used_at: trx.raw('clock_timestamp()') });
    return spent > 0;
  }

  /** Deletes at most so many that were over a day ago, and says how many. */
  forget(sql: Knex, most: number): Promise<number> {
    const over = sql('studio_connect_tokens')
      .whereRaw(`expires_at < now() - interval '1 day'`)
      .limit(most)
      .select('id');
    return sql('studio_connect_tokens').whereIn('id', over).delete() as unknown as Promise<number>;
  }
}
