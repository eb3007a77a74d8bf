import { type Call, callerOf, fail, type UserHere, Users } from '@lyceum/core';
import type { Knex } from 'knex';
import { mayManageUsers } from './rights.ts';

/**
 * A user as the caller may know of him: himself, those whom the network knows for who manages users, members
 * of the site for anybody else. All others are unknown.
 * @throws `user_not_found`
 */
export async function findUser(sql: Knex, call: Call, id: number | null): Promise<UserHere> {
  if (id === null) return fail('user_not_found');
  const users = call.get(Users);
  if (id === callerOf(call).id) return (await users.find(sql, call.site, id)) ?? fail('user_not_found');
  if (mayManageUsers(call)) return (await users.findKnown(sql, call.site, id)) ?? fail('user_not_found');
  const user = await users.find(sql, call.site, id);
  return user && user.role !== null ? user : fail('user_not_found');
}
