import type { Knex } from 'knex';
import type { PageQuery } from '../api/schema.ts';
import { containing } from '../db/like.ts';
import type { Place, UserHere } from './user.ts';
import { columnsHere, knownToNetwork, usersHere } from './user-store.ts';

export interface UserListQuestion extends PageQuery {
  /** Everybody whom the network knows, instead of the site's members. */
  readonly wholeNetwork: boolean;
  readonly role: string | undefined;
  readonly search: string | undefined;
  readonly orderby: 'id' | 'login' | 'registered';
  readonly order: 'asc' | 'desc';
}

const searched = ['u.login', 'u.email', 'u.display_name', 'u.first_name', 'u.last_name'];

/** One page of a place's users, and how many there are. */
export async function listUsers(
  sql: Knex,
  place: Place,
  asked: UserListQuestion,
): Promise<{ readonly users: UserHere[]; readonly total: number }> {
  const found = (): Knex.QueryBuilder => {
    const users = usersHere(sql, place);
    if (asked.wholeNetwork) knownToNetwork(sql, users, place.network_id);
    else users.whereNotNull('m.role');
    if (asked.role !== undefined) users.where('m.role', asked.role);
    if (asked.search)
      users.where(sql.raw(searched.map(() => '?? ilike ?').join(' or '), bindings(asked.search)));
    return users;
  };
  const counted = (await found().count({ total: '*' }).first()) as { total: string | number } | undefined;
  const users = (await found()
    .orderBy([
      { column: `u.${asked.orderby}`, order: asked.order },
      { column: 'u.id', order: asked.order },
    ])
    .limit(asked.per_page)
    .offset((asked.page - 1) * asked.per_page)
    .select(columnsHere(sql))) as UserHere[];
  return { users, total: Number(counted?.total ?? 0) };
}

/** Each column with the pattern of what is looked for. */
const bindings = (text: string): string[] => searched.flatMap((column) => [column, containing(text)]);
