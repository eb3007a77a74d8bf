import { Database, defineOperation, fail, page, pageQuery, roles, Users, word, yup } from '@lyceum/core';
import { UserRecord, userRecord } from '../../user-record.ts';
import { mayManageUsers } from './rights.ts';

export const listUsers = defineOperation({
  id: 'host.list-users',
  method: 'GET',
  path: 'svc/host/v1/users',
  summary: 'Members of the site; with `network` everybody whom the network knows',
  access: { can: 'list_users' },
  site: 'selectable',
  input: {
    query: yup.object({
      ...pageQuery(),
      network: yup.boolean().default(false),
      role: word(...roles),
      search: yup.string().max(200),
      orderby: word('id', 'login', 'registered').default('id'),
      order: word('asc', 'desc').default('asc'),
    }),
  },
  output: yup.array().of(UserRecord.required()).required(),
  paged: true,
  handle: async ({ query }, call) => {
    if (query.network && !mayManageUsers(call)) fail('rest_forbidden');
    const { network: wholeNetwork, role, search, ...rest } = query;
    const asked = { ...rest, wholeNetwork, role, search };
    const { users, total } = await call.get(Users).list(call.get(Database).knex, call.site, asked);
    return page(
      users.map((user) => userRecord(user, call)),
      total,
    );
  },
});
