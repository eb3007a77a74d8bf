import {
  Addresses,
  audit,
  created,
  Database,
  defineOperation,
  fail,
  hashPassword,
  Memberships,
  Users,
  yup,
} from '@lyceum/core';
import { UserRecord, userExample, userRecord } from '../../user-record.ts';
import { refuseEmailDomain, refuseUngrantable } from './rights.ts';
import { accountFields, email, role } from './user-fields.ts';

export const createUser = defineOperation({
  id: 'host.create-user',
  method: 'POST',
  path: 'svc/host/v1/users',
  summary: 'Make an account, with a role on the site or without',
  access: { can: 'manage_network_users', onSingleSite: 'create_users' },
  site: 'selectable',
  input: {
    body: yup.object({
      login: yup
        .string()
        .matches(/^[a-z0-9._@-]{3,60}$/)
        .required(),
      email: email().required(),
      role: role(),
      ...accountFields(),
    }),
  },
  success: 201,
  output: UserRecord,
  errors: ['user_login_exists', 'user_email_exists'],
  example: {
    body: { login: 'ann', email: 'ann@example.com', display_name: 'Ann', role: 'editor' },
    answer: userExample,
  },
  handle: async ({ body }, call) => {
    const { role: wanted = null, password, ...account } = body;
    if (wanted !== null) refuseUngrantable(call, wanted);
    refuseEmailDomain(call, account.email);
    const passwordHash = password === undefined ? null : await hashPassword(password);
    const users = call.get(Users);
    const user = await call.get(Database).transaction(async (trx) => {
      const id = await users.create(trx, account, passwordHash, call.site.network_id);
      if (wanted !== null) await call.get(Memberships).set(trx, call.site.blog_id, id, wanted);
      await audit(trx, call, {
        module: 'host',
        action: 'user.create',
        subject: `user:${id}`,
        blogId: wanted === null ? null : call.site.blog_id,
        to: { login: account.login, email: account.email, role: wanted },
      });
      return (await users.find(trx, call.site, id)) ?? fail('user_not_found');
    });
    const location = call.get(Addresses).route(call.site, `svc/host/v1/users/${user.id}`);
    return created(userRecord(user, call), location);
  },
});
