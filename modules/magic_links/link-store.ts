import type { PageQuery, SiteRef } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Delivery, Link, LinkStatus } from './link.ts';

export interface NewLink {
  readonly blog_id: number;
  readonly user_id: number;
  readonly created_by: number;
  readonly delivery: Delivery;
  readonly redirect: string | null;
  /** False for a super admin who is no member of the site. */
  readonly for_member: boolean;
  /** Seconds. */
  readonly lifetime: number;
  /** null: the worker draws the token. */
  readonly token_hash: Buffer | null;
}

export interface LinkFilter extends PageQuery {
  readonly user_id?: number | undefined;
  readonly status?: LinkStatus | undefined;
}

/** The membership for which it was made has ended. */
const left = '(for_member and member_user_id is null)';

/** What follows from the time, and from the end of a membership, is not stored. */
const status = `case when status = 'live' and expires_at <= clock_timestamp() then 'expired'
  when status in ('live', 'pending') and ${left} then 'revoked' else status end`;

const columns = (sql: Knex) => [
  ...[
    'id',
    'user_id',
    'blog_id',
    'delivery',
    'redirect',
    'created_by',
    'created_at',
    'expires_at',
    'consumed_at',
  ],
  sql.raw(`${status} as status`),
];

const inSeconds = (sql: Knex, seconds: number) =>
  sql.raw('clock_timestamp() + make_interval(secs => ?)', [seconds]);

/** Links; every change is decided by the row that it changes. */
export class LinkStore {
  /** Links of the user that work, or soon will; his account is locked by whoever counts to add one. */
  async countLive(trx: Knex.Transaction, userId: number): Promise<number> {
    const row = await trx('magic_links')
      .where({ user_id: userId })
      .whereRaw(`(${status}) in ('pending', 'live')`)
      .count({ live: '*' })
      .first();
    return Number(row?.live ?? 0);
  }

  async insert(trx: Knex.Transaction, link: NewLink): Promise<Link> {
    const [row] = (await trx('magic_links')
      .insert({
        ...link,
        member_blog_id: link.for_member ? link.blog_id : null,
        member_user_id: link.for_member ? link.user_id : null,
        status: link.token_hash === null ? 'pending' : 'live',
        expires_at: inSeconds(trx, link.lifetime),
      })
      .returning(columns(trx))) as Link[];
    if (!row) throw new Error('The insertion of a link returned no row.');
    return row;
  }

  /** One page of the site's, newest first, and how many there are. */
  async list(
    sql: Knex,
    blogId: number,
    { user_id, status: wanted, page, per_page }: LinkFilter,
  ): Promise<{ readonly links: Link[]; readonly total: number }> {
    const matching = (): Knex.QueryBuilder => {
      const query = sql('magic_links').where({ blog_id: blogId });
      if (user_id !== undefined) query.where({ user_id });
      if (wanted !== undefined) query.whereRaw(`(${status}) = ?`, [wanted]);
      return query;
    };
    const [rows, count] = await Promise.all([
      matching()
        .orderBy('id', 'desc')
        .limit(per_page)
        .offset((page - 1) * per_page)
        .select(columns(sql)),
      matching().count({ total: '*' }).first(),
    ]);
    return { links: rows as Link[], total: Number((count as { total: unknown } | undefined)?.total ?? 0) };
  }

  /** The site's link, locked; null when it has none of this id. */
  async lock(trx: Knex.Transaction, blogId: number, id: number): Promise<Link | null> {
    const row = await trx('magic_links').where({ id, blog_id: blogId }).forUpdate().first(columns(trx));
    return (row as Link | undefined) ?? null;
  }

  /** A locked link. */
  async revoke(trx: Knex.Transaction, id: number): Promise<void> {
    await trx('magic_links')
      .where({ id })
      .update({ status: 'revoked', token_hash: null, revoked_at: trx.raw('clock_timestamp()') });
  }

  /** Whom a link waits to be mailed to; null when it was revoked or sent, or the account is gone. */
  async addressee(
    sql: Knex,
    id: number,
  ): Promise<{ readonly email: string; readonly locale: string; readonly lifetime: number } | null> {
    const row = await sql('magic_links as l')
      .join('users as u', 'u.id', 'l.user_id')
      .where({ 'l.id': id, 'l.status': 'pending' })
      .whereRaw(`not ${left}`)
      .first('u.email', 'u.locale', 'l.lifetime');
    return (row as { email: string; locale: string; lifetime: number } | undefined) ?? null;
  }

  /** Gives a waiting link a token, whose time begins now; false when it waits no more. */
  async arm(trx: Knex.Transaction, id: number, tokenHash: Buffer): Promise<boolean> {
    const changed = await trx('magic_links')
      .where({ id, status: 'pending' })
      .update({
        token_hash: tokenHash,
        expires_at: trx.raw('clock_timestamp() + make_interval(secs => lifetime)'),
      });
    return changed > 0;
  }

  /** Its mail is out. Whoever was quick may have used it already. */
  async markSent(trx: Knex.Transaction, id: number): Promise<void> {
    await trx('magic_links').where({ id, status: 'pending' }).update({ status: 'live' });
  }

  async markFailed(trx: Knex.Transaction, id: number): Promise<void> {
    await trx('magic_links').where({ id, status: 'pending' }).update({ status: 'failed', token_hash: null });
  }

  /**
   * Uses a token up, in one statement that decides and acts: of any number at once one gets the link. It stays as it is
   * when it is another site's, over, or of somebody who may not log in here any more. A mail may arrive before its job
   * has ended, so a link that waits for that is good, too.
   */
  async consume(
    trx: Knex.Transaction,
    { blog_id, network_id }: SiteRef,
    tokenHash: Buffer,
    ip: string,
  ): Promise<{ readonly id: number; readonly user_id: number; readonly redirect: string | null } | null> {
    const { rows } = (await trx.raw(
      `update magic_links l set status = 'consumed', consumed_at = clock_timestamp(), consumed_ip = :ip
       where l.token_hash = :tokenHash and l.blog_id = :blog_id and l.status in ('pending', 'live')
         and l.expires_at > clock_timestamp()
         and case when l.for_member then l.member_user_id is not null
           else exists (select 1 from super_admins a where a.user_id = l.user_id and a.network_id = :network_id) end
       returning l.id, l.user_id, l.redirect`,
      { ip, tokenHash, blog_id, network_id },
    )) as { rows: { id: number; user_id: number; redirect: string | null }[] };
    return rows[0] ?? null;
  }

  /** Deletes at most so many whose time was over long ago, and says how many. */
  forget(sql: Knex, most: number): Promise<number> {
    const over = sql('magic_links').whereRaw(`expires_at < now() - interval '90 days'`).limit(most);
    return sql('magic_links').whereIn('id', over.select('id')).delete() as unknown as Promise<number>;
  }
}
