import type { Knex } from 'knex';

/** Whether the caller is a super admin of every network that the user is one of. */
export async function governsAll(sql: Knex, userId: number, callerId: number): Promise<boolean> {
  const beyond = await sql('super_admins as u')
    .where('u.user_id', userId)
    .whereNotExists(
      sql('super_admins as c')
        .whereRaw('c.network_id = u.network_id')
        .where('c.user_id', callerId)
        .select(sql.raw('1')),
    )
    .first('u.network_id');
  return beyond === undefined;
}
