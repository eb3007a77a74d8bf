import { audit, type Call, callerOf, fail, Memberships, SuperAdmins, type UserHere } from '@lyceum/core';
import type { Knex } from 'knex';

/** Gives the role on the call's site; null ends the membership. The present one again is no change. */
export async function changeRole(
  trx: Knex.Transaction,
  call: Call,
  userId: number,
  wanted: string | null,
): Promise<void> {
  const memberships = call.get(Memberships);
  const before = await memberships.lock(trx, call.site.blog_id, userId);
  if (before === wanted) return;
  await memberships.set(trx, call.site.blog_id, userId, wanted);
  await audit(trx, call, {
    module: 'host',
    action: 'user.role',
    subject: `user:${userId}`,
    from: { role: before },
    to: { role: wanted },
  });
}

/**
 * Gives or takes the right over the call's network.
 * @throws `last_super_admin`, also when two requests would take it from the last two at once
 */
export async function changeSuperAdmin(
  trx: Knex.Transaction,
  call: Call,
  userId: number,
  wanted: boolean,
): Promise<void> {
  const admins = call.get(SuperAdmins);
  const { network_id } = call.site;
  await admins.lockNetwork(trx, network_id);
  if ((await admins.is(trx, network_id, userId)) === wanted) return;
  if (wanted) {
    await admins.grant(trx, network_id, userId);
  } else {
    if (await admins.isLast(trx, [network_id], userId)) fail('last_super_admin');
    await admins.revoke(trx, network_id, userId);
  }
  await audit(trx, call, {
    module: 'host',
    action: 'user.super_admin',
    scope: 'network',
    subject: `user:${userId}`,
    blogId: null,
    from: { super_admin: !wanted },
    to: { super_admin: wanted },
  });
}

/**
 * Who writes another's password or address, or removes him, has power over all that he is. So nobody does it to
 * somebody who is more than he is, here or in another network.
 */
export async function refuseGreater(trx: Knex.Transaction, call: Call, user: UserHere): Promise<void> {
  const admins = call.get(SuperAdmins);
  const greater = await admins.outranks(trx, call.site.network_id, user.id, callerOf(call).id);
  if (greater) fail('rest_forbidden');
}
