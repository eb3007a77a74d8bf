import { Database, defineOperation, yup } from '@lyceum/core';
import { UserRecord, userRecord } from '../../user-record.ts';
import { findUser } from './find-user.ts';
import { isOneself, pathId } from './rights.ts';
import { userIdText } from './user-fields.ts';

export const getUser = defineOperation({
  id: 'host.get-user',
  method: 'GET',
  path: 'svc/host/v1/users/{id}',
  summary: 'One user; `me` is oneself',
  access: {
    check: (call, { id = '' }) => isOneself(call, id) || call.can('list_users'),
    because: 'everybody reads himself, whoever may list users reads them',
  },
  site: 'selectable',
  input: { params: yup.object({ id: userIdText() }) },
  output: UserRecord,
  errors: ['user_not_found'],
  handle: async ({ params }, call) => {
    if (call.user && isOneself(call, params.id)) return userRecord(call.user, call);
    return userRecord(await findUser(call.get(Database).knex, call, pathId(params.id, call)), call);
  },
});
