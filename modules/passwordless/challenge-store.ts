import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';

/** A request for a code on one site, whether somebody is behind the login or not. */
export interface Challenge {
  readonly id: string;
  readonly user_id: number | null;
  readonly pin_hash: Buffer | null;
  readonly attempts: number;
}

export interface NewChallenge {
  readonly blogId: number;
  readonly loginKey: Buffer;
  readonly userId: number | null;
  readonly seconds: number;
}

/** Neither used, nor replaced by a newer one, nor guessed at too often. */
const open = { consumed_at: null, superseded: false, burnt: false };

const inSeconds = (sql: Knex, seconds: number) =>
  sql.raw('clock_timestamp() + make_interval(secs => ?)', [seconds]);

/** Challenges and the hashes of their codes. */
export class ChallengeStore {
  /** Seconds since each of the login's latest requests within an hour, on whatever site; the newest first. */
  async agesOfRequests(sql: Knex, loginKey: Buffer, most: number): Promise<number[]> {
    const rows = (await sql('passwordless_challenges')
      .where({ login_key: loginKey })
      .whereRaw(`created_at > clock_timestamp() - interval '1 hour'`)
      .orderBy('created_at', 'desc')
      .limit(most)
      .select(sql.raw('extract(epoch from clock_timestamp() - created_at)::float8 as age'))) as {
      age: number;
    }[];
    return rows.map(({ age }) => age);
  }

  /** Writes a challenge in place of the login's earlier ones on the site. */
  async replace(trx: Knex.Transaction, { blogId, loginKey, userId, seconds }: NewChallenge): Promise<string> {
    await trx('passwordless_challenges')
      .where({ login_key: loginKey, blog_id: blogId, ...open })
      .update({ superseded: true });
    const id = randomUUID();
    await trx('passwordless_challenges').insert({
      id,
      blog_id: blogId,
      login_key: loginKey,
      user_id: userId,
      expires_at: inSeconds(trx, seconds),
    });
    return id;
  }

  /** The user who waits for a code of this challenge; null when nobody does. */
  async addressee(
    sql: Knex,
    id: string,
  ): Promise<{ readonly id: number; readonly email: string; readonly locale: string } | null> {
    const row = await sql('passwordless_challenges as c')
      .join('users as u', 'u.id', 'c.user_id')
      .where({ 'c.id': id, 'c.consumed_at': null, 'c.superseded': false, 'c.burnt': false })
      .first('u.id', 'u.email', 'u.locale');
    return (row as { id: number; email: string; locale: string } | undefined) ?? null;
  }

  /** Gives the challenge a code, whose time begins now; false when nobody may use one any more. */
  async arm(trx: Knex.Transaction, id: string, pinHash: Buffer, seconds: number): Promise<boolean> {
    const changed = await trx('passwordless_challenges')
      .where({ id, ...open })
      .update({ pin_hash: pinHash, expires_at: inSeconds(trx, seconds) });
    return changed > 0;
  }

  async markSent(trx: Knex.Transaction, id: string): Promise<void> {
    await trx('passwordless_challenges')
      .where({ id })
      .update({ sent_at: trx.raw('clock_timestamp()') });
  }

  /** The one that a guess is about, locked. */
  async hold(trx: Knex.Transaction, blogId: number, loginKey: Buffer): Promise<Challenge | null> {
    const row = await trx('passwordless_challenges')
      .where({ login_key: loginKey, blog_id: blogId, ...open })
      .whereRaw('expires_at > clock_timestamp()')
      .orderBy('created_at', 'desc')
      .forUpdate()
      .first('id', 'user_id', 'pin_hash', 'attempts');
    return (row as Challenge | undefined) ?? null;
  }

  /** Uses it up for a session; a held row. */
  async consume(trx: Knex.Transaction, id: string): Promise<void> {
    await trx('passwordless_challenges')
      .where({ id })
      .update({ consumed_at: trx.raw('clock_timestamp()'), pin_hash: null });
  }

  /** Counts a wrong guess; the last one destroys the code. The same work where there is no challenge. */
  async miss(trx: Knex.Transaction, id: string | null, burns: boolean): Promise<void> {
    await trx('passwordless_challenges')
      .where({ id: id ?? randomUUID() })
      .update({
        attempts: trx.raw('attempts + 1'),
        ...(burns ? { burnt: true, pin_hash: null } : {}),
      });
  }
}
