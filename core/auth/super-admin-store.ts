import type { Knex } from 'knex';

/** Who may do everything in which network. */
export class SuperAdmins {
  async grant(trx: Knex.Transaction, networkId: number, userId: number): Promise<void> {
    await trx('super_admins').insert({ network_id: networkId, user_id: userId }).onConflict().ignore();
  }

  async revoke(trx: Knex.Transaction, networkId: number, userId: number): Promise<void> {
    await trx('super_admins').where({ network_id: networkId, user_id: userId }).delete();
  }

  async is(sql: Knex, networkId: number, userId: number): Promise<boolean> {
    const row = await sql('super_admins').where({ network_id: networkId, user_id: userId }).first('user_id');
    return row !== undefined;
  }

  /** Networks whose super admin the user is; until the transaction ends, nobody else loses that right there. */
  async lockNetworksOf(trx: Knex.Transaction, userId: number): Promise<number[]> {
    const rows = (await trx('networks as n')
      .whereIn('n.network_id', trx('super_admins').where({ user_id: userId }).select('network_id'))
      .orderBy('n.network_id')
      .forNoKeyUpdate()
      .select('n.network_id')) as { network_id: number }[];
    return rows.map((row) => row.network_id);
  }

  /** Locks one network as `lockNetworksOf` does. */
  async lockNetwork(trx: Knex.Transaction, networkId: number): Promise<void> {
    await trx('networks').where({ network_id: networkId }).forNoKeyUpdate().first('network_id');
  }

  /** Whether nobody else is super admin of one of these networks. */
  async isLast(trx: Knex.Transaction, networkIds: readonly number[], userId: number): Promise<boolean> {
    if (networkIds.length === 0) return false;
    const others = (await trx('super_admins')
      .whereIn('network_id', [...networkIds])
      .whereNot({ user_id: userId })
      .distinct('network_id')) as unknown[];
    return others.length < networkIds.length;
  }

  /**
   * Whether the user is more than the caller somewhere: super admin of a network where the caller is not, or
   * a member in another network that the caller does not govern.
   */
  async outranks(sql: Knex, networkId: number, userId: number, callerId: number): Promise<boolean> {
    const { rows } = (await sql.raw(
      `select 1 from (
         select s.network_id from memberships m join sites s on s.blog_id = m.blog_id
           where m.user_id = :userId and s.network_id <> :networkId and s.state <> 'removed'
         union select network_id from super_admins where user_id = :userId
       ) n
       where not exists (
         select 1 from super_admins c where c.network_id = n.network_id and c.user_id = :callerId)
       limit 1`,
      { userId, networkId, callerId },
    )) as { rows: unknown[] };
    return rows.length > 0;
  }
}
