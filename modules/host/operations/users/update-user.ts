import {
  audit,
  type Call,
  Database,
  defineOperation,
  fail,
  hashPassword,
  maskedSecret,
  type UserChanges,
  type UserHere,
  Users,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { UserRecord, userExample, userRecord } from '../../user-record.ts';
import { findUser } from './find-user.ts';
import { isOneself, mayManageUsers, pathId, refuseEmailDomain, refuseUngrantable } from './rights.ts';
import { changeRole, changeSuperAdmin, refuseGreater } from './standing.ts';
import { accountFields, email, role, userIdText } from './user-fields.ts';

export const updateUser = defineOperation({
  id: 'host.update-user',
  method: 'PATCH',
  path: 'svc/host/v1/users/{id}',
  summary: 'Change an account, its role on the site, or its right over the network',
  access: {
    check: (call, { id = '' }) => isOneself(call, id) || mayManageUsers(call) || call.can('promote_users'),
    because: 'everybody changes himself, who manages users anybody, who may promote the role of a member',
  },
  site: 'selectable',
  input: {
    params: yup.object({ id: userIdText() }),
    body: yup.object({ email: email(), role: role(), super_admin: yup.boolean(), ...accountFields() }),
  },
  output: UserRecord,
  errors: ['user_not_found', 'user_login_exists', 'user_email_exists', 'last_super_admin'],
  example: { body: { display_name: 'Ann', role: 'editor' }, answer: userExample },
  handle: async ({ params, body }, call) => {
    const { role: wantedRole, super_admin: wantedRight, password, ...account } = body;
    const self = isOneself(call, params.id);
    const changesAccount = password !== undefined || Object.keys(account).length > 0;
    if (changesAccount && !self && !mayManageUsers(call)) fail('rest_forbidden');
    if (wantedRole !== undefined) refuseUngrantable(call, wantedRole);
    if (wantedRight !== undefined && !call.can('manage_network')) fail('rest_forbidden');
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    return call.get(Database).transaction(async (trx) => {
      const users = call.get(Users);
      const id = pathId(params.id, call);
      await users.lock(trx, [id]);
      const before = await findUser(trx, call, id);
      if (changesAccount) {
        if (!self) await refuseGreater(trx, call, before);
        await changeAccount(trx, call, before, account, passwordHash);
      }
      if (wantedRole !== undefined) await changeRole(trx, call, before.id, wantedRole);
      if (wantedRight !== undefined) await changeSuperAdmin(trx, call, before.id, wantedRight);
      const after = (await users.find(trx, call.site, before.id)) ?? fail('user_not_found');
      return userRecord(after, call);
    });
  },
});

async function changeAccount(
  trx: Knex.Transaction,
  call: Call,
  before: UserHere,
  given: UserChanges,
  passwordHash: string | undefined,
): Promise<void> {
  const changed = Object.entries(given).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof UserChanges],
  );
  const changes: UserChanges = Object.fromEntries(changed);
  if (changed.length === 0 && passwordHash === undefined) return;
  if (changes.email !== undefined) refuseEmailDomain(call, changes.email);
  await call.get(Users).change(trx, call, before.id, changes, passwordHash);
  const secret = passwordHash === undefined ? {} : { password: maskedSecret };
  await audit(trx, call, {
    module: 'host',
    action: 'user.update',
    subject: `user:${before.id}`,
    blogId: null,
    from: Object.fromEntries(changed.map(([name]) => [name, before[name as keyof UserChanges]])),
    to: { ...changes, ...secret },
  });
}
