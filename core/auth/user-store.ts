import type { Knex } from 'knex';
import { operatorNetworkId } from '../content/networks/network-record.ts';
import type { Place, User, UserHere } from './user.ts';

/** The columns that changes may touch. */
export interface UserColumns {
  readonly login: string;
  readonly email: string;
  readonly password_hash: string | null;
  readonly display_name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly locale: string;
}

const columns = [
  'u.id',
  'u.login',
  'u.email',
  'u.display_name',
  'u.nicename',
  'u.first_name',
  'u.last_name',
  'u.locale',
  'u.registered',
];

/** Joins the standing at the place: role and super admin. */
export function usersHere(sql: Knex, place: Place): Knex.QueryBuilder {
  return sql('users as u')
    .leftJoin('memberships as m', (join) => {
      join.on('m.user_id', 'u.id').andOnVal('m.blog_id', place.blog_id);
    })
    .leftJoin('super_admins as a', (join) => {
      join.on('a.user_id', 'u.id').andOnVal('a.network_id', place.network_id);
    });
}

/** What `usersHere` selects to make a `UserHere`. */
export const columnsHere = (sql: Knex) => [
  ...columns,
  'm.role',
  sql.raw('a.user_id is not null as super_admin'),
];

/** Keeps users whom the network knows: registered there, member of one of its sites, or its super admin. */
export function knownToNetwork(sql: Knex, users: Knex.QueryBuilder, networkId: number): Knex.QueryBuilder {
  return users.where((known) => {
    known
      .where('u.network_id', networkId)
      .orWhereNotNull('a.user_id')
      .orWhereExists(
        sql('memberships as k')
          .join('sites as s', 's.blog_id', 'k.blog_id')
          .whereRaw('k.user_id = u.id')
          .where('s.network_id', networkId)
          .whereNot('s.state', 'removed')
          .select(sql.raw('1')),
      );
  });
}

/** Rows of users. */
export class UserStore {
  async find(sql: Knex, place: Place, id: number): Promise<UserHere | null> {
    const row = (await usersHere(sql, place).where('u.id', id).first(columnsHere(sql))) as
      | UserHere
      | undefined;
    return row ?? null;
  }

  async isKnown(sql: Knex, networkId: number, id: number): Promise<boolean> {
    const users = usersHere(sql, { blog_id: 0, network_id: networkId }).where('u.id', id);
    return (await knownToNetwork(sql, users, networkId).first('u.id')) !== undefined;
  }

  /** Whether the user is a super admin of the first network. */
  async isOperator(sql: Knex, id: number): Promise<boolean> {
    const row = await sql('super_admins')
      .where({ network_id: operatorNetworkId, user_id: id })
      .first('user_id');
    return row !== undefined;
  }

  /** Those of the ids whom the network knows. */
  async known(sql: Knex, networkId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const users = usersHere(sql, { blog_id: 0, network_id: networkId }).whereRaw('u.id = any(?)', [[...ids]]);
    const rows = (await knownToNetwork(sql, users, networkId).select('u.id')) as { id: number }[];
    return new Set(rows.map(({ id }) => id));
  }

  /** Locks the rows until the transaction ends, always in one order. */
  async lock(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
    await trx('users')
      .whereIn('id', [...ids])
      .orderBy('id')
      .forUpdate()
      .select('id');
  }

  /** By login, else by e-mail; `text` in lower case. */
  async byName(sql: Knex, text: string): Promise<(User & { readonly password_hash: string | null }) | null> {
    const row = (await sql('users as u')
      .whereRaw('lower(u.login) = ? or lower(u.email) = ?', [text, text])
      .orderByRaw('lower(u.login) = ? desc', [text])
      .first([...columns, 'u.password_hash'])) as (User & { password_hash: string | null }) | undefined;
    return row ?? null;
  }

  /** Whether the hash is still the user's; if so it stays until the transaction ends. */
  async passwordHolds(trx: Knex.Transaction, id: number, hash: string): Promise<boolean> {
    const row = await trx('users').where({ id, password_hash: hash }).forShare().first('id');
    return row !== undefined;
  }

  /** Whether somebody else logs in by this text, in lower case, as his login or e-mail. */
  async isTaken(sql: Knex, column: 'login' | 'email', text: string, except: number): Promise<boolean> {
    const found = sql('users').whereRaw('lower(??) = ?', [column, text]).whereNot({ id: except });
    return (await found.first('id')) !== undefined;
  }

  /** The new id, or null when the nicename is taken; a taken login or e-mail violates its index. */
  async insert(
    trx: Knex.Transaction,
    row: UserColumns & { readonly nicename: string; readonly network_id: number },
  ): Promise<number | null> {
    const [made] = (await trx('users').insert(row).onConflict('nicename').ignore().returning('id')) as {
      id: number;
    }[];
    return made?.id ?? null;
  }

  async update(trx: Knex.Transaction, id: number, changes: Partial<UserColumns>): Promise<void> {
    await trx('users').where({ id }).update(changes);
  }

  async remove(trx: Knex.Transaction, id: number): Promise<void> {
    await trx('users').where({ id }).delete();
  }

  async ownsPosts(sql: Knex, id: number): Promise<boolean> {
    return (await sql('posts').where({ author_id: id }).first('id')) !== undefined;
  }

  async reassignPosts(trx: Knex.Transaction, from: number, to: number): Promise<void> {
    await trx('posts').where({ author_id: from }).update({ author_id: to });
  }
}
