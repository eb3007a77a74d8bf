import { type Call, CapabilityTable, callerOf, Database, fail, SuperAdmins, Users } from '@lyceum/core';
import type { Delivery } from './link.ts';
import { governsAll } from './target-store.ts';

/**
 * Who may have a link made for whom. A link is its user's login on every site of his, so whoever makes one must not
 * gain by it.
 * @throws `rest_forbidden`, `magic_links_forbidden_user`, `magic_links_user_not_found`
 */
export async function checkTarget(call: Call, userId: number, delivery: Delivery): Promise<void> {
  const caller = callerOf(call);
  if (userId === caller.id) return;
  if (!call.can('promote_users')) fail('rest_forbidden');
  const { knex } = call.get(Database);
  const target = await call.get(Users).find(knex, call.site, userId);
  if (!target) return fail('magic_links_user_not_found');
  if (!(await governsAll(knex, userId, caller.id))) fail('magic_links_forbidden_user');
  if (target.role === null && !target.super_admin) fail('magic_links_user_not_found');
  const grantable = call.get(CapabilityTable).grantable(caller.role, caller.super_admin);
  if (target.role !== null && !grantable.includes(target.role)) fail('magic_links_forbidden_user');
  if (delivery === 'mail') return;
  // Whoever sees the link can use it himself, wherever its user is somebody.
  if (!call.single && !call.can('manage_network_users')) fail('rest_forbidden');
  if (await call.get(SuperAdmins).outranks(knex, call.site.network_id, userId, caller.id)) {
    fail('magic_links_forbidden_user');
  }
}
