import type { Knex } from 'knex';

/** An application password as its owner sees it: never the password. */
export interface ApplicationPassword {
  readonly uuid: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly last_ip: string | null;
}

const shown = ['uuid', 'name', 'created_at', 'last_used_at', 'last_ip'] as const;

/** Rows of application passwords. */
export class ApplicationPasswordStore {
  list(sql: Knex, userId: number): Promise<ApplicationPassword[]> {
    return sql('application_passwords')
      .where({ user_id: userId })
      .orderBy(['created_at', 'uuid'])
      .select(shown);
  }

  /** How many the user has, null when he is gone. Nobody adds one until the transaction ends: his row is locked. */
  async countLocked(trx: Knex.Transaction, userId: number): Promise<number | null> {
    const user = await trx('users').where({ id: userId }).forNoKeyUpdate().first('id');
    if (!user) return null;
    const row = await trx('application_passwords').where({ user_id: userId }).count({ kept: '*' }).first();
    return Number(row?.kept ?? 0);
  }

  async insert(
    trx: Knex.Transaction,
    row: { readonly uuid: string; readonly user_id: number; readonly name: string; readonly hash: Buffer },
  ): Promise<ApplicationPassword> {
    const [made] = (await trx('application_passwords').insert(row).returning(shown)) as ApplicationPassword[];
    if (!made) throw new Error('The insertion of an application password returned no row.');
    return made;
  }

  /** The name of the removed one; null when the user has none of this uuid. */
  async remove(sql: Knex, userId: number, uuid: string): Promise<string | null> {
    const [row] = (await sql('application_passwords')
      .where({ user_id: userId, uuid })
      .delete()
      .returning('name')) as { name: string }[];
    return row?.name ?? null;
  }

  async removeAll(sql: Knex, userId: number): Promise<void> {
    await sql('application_passwords').where({ user_id: userId }).delete();
  }
}
