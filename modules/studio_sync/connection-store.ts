import type { Database, NamedStatement } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Connection } from './connection.ts';

export interface NewConnection
  extends Pick<
    Connection,
    'network_id' | 'blog_id' | 'user_id' | 'device_name' | 'platform' | 'app_version'
  > {
  readonly token_hash: Buffer;
}

/** A connection as its token finds it. */
export interface FoundConnection extends Connection {
  /** Not used for longer than connections may be; its end is not written yet. */
  readonly idle: boolean;
  /** Its last use was noted more than a minute ago. */
  readonly use_is_old: boolean;
}

const plain =
  'connection_id, network_id, blog_id, user_id, device_name, platform, app_version, created_at, last_used_at';

/** Over by silence; the parameter is a number of days, 0 for never. */
const idle = (days: string) =>
  `(${days} > 0 and coalesce(last_used_at, created_at) < clock_timestamp() - make_interval(days => ${days}))`;

const statusOf = (days: string) =>
  `case when revoked_at is not null or ${idle(days)} then 'revoked' else 'connected' end as status`;

const byToken: NamedStatement = {
  name: 'studio-connection',
  text: `select ${plain}, case when revoked_at is null then 'connected' else 'revoked' end as status,
      revoked_at is null and ${idle('$3::int')} as idle,
      coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) as use_is_old
    from studio_connections c where token_hash = $1 and network_id = $2
      and exists (select 1 from users where id = c.user_id)`,
};

/** Connections; every change is decided by the row that it changes. */
export class ConnectionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(trx: Knex.Transaction, connection: NewConnection): Promise<Connection> {
    const [row] = (await trx('studio_connections')
      .insert(connection)
      .returning(trx.raw(`${plain}, 'connected' as status`) as never)) as Connection[];
    if (!row) throw new Error('The insertion of a connection returned no row.');
    return row;
  }

  /** Live ones of the user in the network; his account is locked by whoever counts to add one. */
  async countLive(
    trx: Knex.Transaction,
    userId: number,
    networkId: number,
    idleDays: number,
  ): Promise<number> {
    const row = await trx('studio_connections')
      .where({ user_id: userId, network_id: networkId })
      .whereNull('revoked_at')
      .whereRaw(`not ${idle(':days')}`, { days: idleDays })
      .count({ live: '*' })
      .first();
    return Number(row?.live ?? 0);
  }

  /** The network's connection of a token whose user is still there. */
  async byToken(tokenHash: Buffer, networkId: number, idleDays: number): Promise<FoundConnection | null> {
    const [found] = await this.#db.named<FoundConnection>(byToken, [tokenHash, networkId, idleDays]);
    return found ?? null;
  }

  /** Notes that it is used now: the time. */
  async noteUse(connectionId: string): Promise<string | null> {
    const [row] = (await this.#db
      .knex('studio_connections')
      .where({ connection_id: connectionId })
      .update({ last_used_at: this.#db.knex.raw('clock_timestamp()') })
      .returning('last_used_at')) as { last_used_at: string }[];
    return row?.last_used_at ?? null;
  }

  /** False for one that was revoked before. */
  async revoke(trx: Knex.Transaction, connectionId: string): Promise<boolean> {
    const changed = await trx('studio_connections')
      .where({ connection_id: connectionId })
      .whereNull('revoked_at')
      .update({ revoked_at: trx.raw('clock_timestamp()') });
    return changed > 0;
  }

  /** The same, if nobody has used it meanwhile. */
  async revokeIdle(trx: Knex.Transaction, connectionId: string, idleDays: number): Promise<boolean> {
    const changed = await trx('studio_connections')
      .where({ connection_id: connectionId })
      .whereNull('revoked_at')
      .whereRaw(idle(':days'), { days: idleDays })
      .update({ revoked_at: trx.raw('clock_timestamp()') });
    return changed > 0;
  }

  /** All of a user, whatever the network: ids of those that were live. */
  async revokeAll(trx: Knex.Transaction, userId: number): Promise<string[]> {
    const rows = (await trx('studio_connections')
      .where({ user_id: userId })
      .whereNull('revoked_at')
      .update({ revoked_at: trx.raw('clock_timestamp()') })
      .returning('connection_id')) as { connection_id: string }[];
    return rows.map(({ connection_id }) => connection_id);
  }

  /** One page of the user's in the network, and with `blogId` of all that were made there; newest first. */
  async list(
    filter: { readonly userId: number; readonly networkId: number; readonly blogId: number | null },
    idleDays: number,
    limit: number,
    offset: number,
  ): Promise<{ readonly connections: Connection[]; readonly total: number }> {
    const { knex } = this.#db;
    const { userId, networkId, blogId } = filter;
    const matching = (): Knex.QueryBuilder =>
      knex('studio_connections').where((either) => {
        either.where({ user_id: userId, network_id: networkId });
        if (blogId !== null) either.orWhere({ blog_id: blogId });
      });
    const [rows, count] = await Promise.all([
      matching()
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'connection_id', order: 'desc' },
        ])
        .limit(limit)
        .offset(offset)
        .select(knex.raw(`${plain}, ${statusOf(':days')}`, { days: idleDays })),
      matching().count({ total: '*' }).first(),
    ]);
    return { connections: rows as Connection[], total: Number(count?.total ?? 0) };
  }

  /** The network's connection of this id, locked, and the role that a user has where it was made. */
  async lock(
    trx: Knex.Transaction,
    connectionId: string,
    networkId: number,
    userId: number,
  ): Promise<(Connection & { readonly role: string | null }) | null> {
    const { rows } = (await trx.raw(
      `select ${plain}, 'connected' as status,
         (select role from memberships m where m.blog_id = c.blog_id and m.user_id = :userId) as role
       from studio_connections c where connection_id = :connectionId and network_id = :networkId for update`,
      { connectionId, networkId, userId },
    )) as { rows: (Connection & { role: string | null })[] };
    return rows[0] ?? null;
  }
}
