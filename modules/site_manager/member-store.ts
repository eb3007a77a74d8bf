import { containing, isForeignKeyViolation, type PageQuery, type Role } from '@lyceum/core';
import type { Knex } from 'knex';

/** A user with his role on one site. */
export interface Member {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly display_name: string;
  readonly nicename: string;
  readonly role: string;
  readonly registered: string;
}

export interface MemberFilter extends PageQuery {
  readonly role?: Role | undefined;
  /** Part of login, e-mail or display name, in any case. */
  readonly search?: string | undefined;
}

/** How somebody names a user: by exactly one of these. */
export type UserName = { readonly user_id: number } | { readonly login: string } | { readonly email: string };

const columns = [
  'u.id',
  'u.login',
  'u.email',
  'u.display_name',
  'u.nicename',
  'm.role',
  'u.registered',
] as const;

const members = (sql: Knex, blogId: number): Knex.QueryBuilder =>
  sql('memberships as m').join('users as u', 'u.id', 'm.user_id').where('m.blog_id', blogId);

/** Who is on a site. */
export class MemberStore {
  /** Role of the user on the site; null without membership, and for a site of another network. */
  async role(sql: Knex, networkId: number, blogId: number, userId: number): Promise<string | null> {
    const row = (await sql('memberships as m')
      .join('sites as s', 's.blog_id', 'm.blog_id')
      .where({ 'm.blog_id': blogId, 'm.user_id': userId, 's.network_id': networkId, 's.state': 'ready' })
      .first('m.role')) as { role: string } | undefined;
    return row?.role ?? null;
  }

  /** One page by id, and how many there are. Two statements. */
  async list(
    sql: Knex,
    blogId: number,
    { role, search, page, per_page }: MemberFilter,
  ): Promise<{ readonly members: Member[]; readonly total: number }> {
    const matching = (): Knex.QueryBuilder => {
      const query = members(sql, blogId);
      if (role !== undefined) query.where('m.role', role);
      if (search !== undefined && search !== '') {
        const pattern = Array(3).fill(containing(search));
        query.whereRaw('(u.login ilike ? or u.email ilike ? or u.display_name ilike ?)', pattern);
      }
      return query;
    };
    const [rows, count] = await Promise.all([
      matching()
        .orderBy('u.id')
        .limit(per_page)
        .offset((page - 1) * per_page)
        .select([...columns]),
      matching().count({ total: '*' }).first(),
    ]);
    return {
      members: rows as Member[],
      total: Number((count as { total: unknown } | undefined)?.total ?? 0),
    };
  }

  async find(sql: Knex, blogId: number, userId: number): Promise<Member | null> {
    const row = await members(sql, blogId)
      .where('u.id', userId)
      .first([...columns]);
    return (row as Member | undefined) ?? null;
  }

  /** Id of the user of this name; null when there is none. */
  async userId(sql: Knex, name: UserName): Promise<number | null> {
    const query = sql('users');
    if ('user_id' in name) query.where('id', name.user_id);
    else if ('login' in name) query.whereRaw('lower(login) = lower(?)', [name.login]);
    else query.whereRaw('lower(email) = lower(?)', [name.email]);
    return ((await query.first('id')) as { id: number } | undefined)?.id ?? null;
  }

  /**
   * Makes the user a member, or changes his role.
   * @returns the role that he had: null for a new member, undefined when the user is gone
   */
  async put(
    trx: Knex.Transaction,
    blogId: number,
    userId: number,
    role: Role,
  ): Promise<string | null | undefined> {
    const row = { blog_id: blogId, user_id: userId };
    try {
      const added = await trx('memberships')
        .insert({ ...row, role })
        .onConflict(['blog_id', 'user_id'])
        .ignore()
        .returning('user_id');
      if (added.length > 0) return null;
    } catch (error) {
      if (isForeignKeyViolation(error)) return undefined;
      throw error;
    }
    const before = (await trx('memberships').where(row).forUpdate().first('role')) as
      | { role: string }
      | undefined;
    await trx('memberships').where(row).update({ role });
    return before?.role ?? null;
  }

  /** @returns the role that he had, or null when he was no member */
  async remove(trx: Knex.Transaction, blogId: number, userId: number): Promise<string | null> {
    const [row] = (await trx('memberships')
      .where({ blog_id: blogId, user_id: userId })
      .delete()
      .returning('role')) as { role: string }[];
    return row?.role ?? null;
  }

  /** Gives the posts that one user wrote on the site to another one; how many. */
  async giveAway(trx: Knex.Transaction, blogId: number, from: number, to: number): Promise<number> {
    return trx('posts').where({ blog_id: blogId, author_id: from }).update({ author_id: to });
  }
}
