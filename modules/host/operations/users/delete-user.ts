import {
  audit,
  type Call,
  Database,
  defineOperation,
  fail,
  id,
  invalidParams,
  Notices,
  SuperAdmins,
  Users,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { findUser } from './find-user.ts';
import { isOneself, pathId } from './rights.ts';
import { refuseGreater } from './standing.ts';
import { userIdText } from './user-fields.ts';

export const deleteUser = defineOperation({
  id: 'host.delete-user',
  method: 'DELETE',
  path: 'svc/host/v1/users/{id}',
  summary: 'Delete an account for good; its posts go to another user',
  description: '`reassign` may stand in the query or in the body.',
  access: { can: 'manage_network_users', onSingleSite: 'delete_users' },
  site: 'selectable',
  input: {
    params: yup.object({ id: userIdText() }),
    query: yup.object({ reassign: id() }),
    body: yup.object({ reassign: id() }),
  },
  output: yup.object({ deleted: yup.boolean().required(), id: yup.number().integer().required() }),
  errors: ['user_not_found', 'user_self_delete', 'last_super_admin'],
  handle: async ({ params, query, body }, call) => {
    if (isOneself(call, params.id)) return fail('user_self_delete');
    const target = pathId(params.id, call);
    const reassign = body.reassign ?? query.reassign ?? null;
    return call.get(Database).transaction(async (trx) => {
      const users = call.get(Users);
      await users.lock(trx, [target, reassign]);
      const user = await findUser(trx, call, target);
      const admins = call.get(SuperAdmins);
      if (await admins.isLast(trx, await admins.lockNetworksOf(trx, user.id), user.id))
        fail('last_super_admin');
      await refuseGreater(trx, call, user);
      if (reassign !== null) await refuseHeir(trx, call, user.id, reassign);
      else if (await users.ownsPosts(trx, user.id)) missingHeir();
      await call.get(Notices).send(trx, call, { kind: 'user.deleted', userId: user.id });
      await users.remove(trx, user.id, reassign);
      await audit(trx, call, {
        module: 'host',
        action: 'user.delete',
        subject: `user:${user.id}`,
        blogId: null,
        from: { login: user.login, email: user.email },
        to: { reassign },
      });
      return { deleted: true, id: user.id };
    });
  },
});

function missingHeir(): never {
  return fail('rest_missing_callback_param', {
    message: 'The user owns posts; say in `reassign` who gets them.',
    data: { params: ['reassign'] },
  });
}

/** Posts go to another user whom the network knows. His row is locked, so that he stays until they are his. */
async function refuseHeir(trx: Knex.Transaction, call: Call, from: number, to: number): Promise<void> {
  const known = to !== from && (await call.get(Users).findKnown(trx, call.site, to)) !== null;
  if (!known) invalidParams({ reassign: 'must be another user of this network' });
}
