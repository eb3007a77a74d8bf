import type { Knex } from 'knex';

/** Roles of users on sites. Whoever changes one decides first whether the caller may. */
export class Memberships {
  /** The role, null without membership; the row stays as it is until the transaction ends. */
  async lock(trx: Knex.Transaction, blogId: number, userId: number): Promise<string | null> {
    const row = (await trx('memberships')
      .where({ blog_id: blogId, user_id: userId })
      .forUpdate()
      .first('role')) as { role: string } | undefined;
    return row?.role ?? null;
  }

  /** Gives the role, or with null ends the membership. */
  async set(trx: Knex.Transaction, blogId: number, userId: number, role: string | null): Promise<void> {
    if (role === null) {
      await trx('memberships').where({ blog_id: blogId, user_id: userId }).delete();
      return;
    }
    await trx('memberships')
      .insert({ blog_id: blogId, user_id: userId, role })
      .onConflict(['blog_id', 'user_id'])
      .merge(['role']);
  }
}
