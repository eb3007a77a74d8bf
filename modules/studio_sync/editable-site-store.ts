import type { SiteRef } from '@lyceum/core';
import type { Knex } from 'knex';

export interface EditableSite {
  readonly blog_id: number;
  readonly domain: string;
  readonly path: string;
  readonly title: string;
}

/** Sites of the network that are open, by id: all of them for a super admin, else those where the user has such a role. */
export async function editableSites(
  sql: Knex,
  network: Pick<SiteRef, 'network_id'>,
  user: { readonly id: number; readonly super_admin: boolean },
  roles: readonly string[],
): Promise<EditableSite[]> {
  const query = sql('sites as s')
    .where({ 's.network_id': network.network_id, 's.state': 'ready' })
    .where({ 's.archived': 0, 's.deleted': 0, 's.spam': 0 })
    .orderBy('s.blog_id')
    .select('s.blog_id', 's.domain', 's.path', 's.title');
  if (!user.super_admin) {
    query
      .join('memberships as m', 'm.blog_id', 's.blog_id')
      .where('m.user_id', user.id)
      .whereIn('m.role', [...roles]);
  }
  return (await query) as EditableSite[];
}
