import { Database, defineOperation, endedCookie, reply, Sessions, yup } from '@lyceum/core';
import { unkept } from './session-record.ts';

export const endSession = defineOperation({
  id: 'host.end-session',
  method: 'DELETE',
  path: 'svc/host/v1/session',
  summary: 'Sign out: end the session of the cookie',
  description:
    'Ends nothing but that session. A request that is signed otherwise has none to end and is answered alike.',
  access: { signedIn: true },
  output: yup.object({ deleted: yup.boolean().required() }),
  handle: async (_input, call) => {
    await call.get(Sessions).end(call.get(Database).knex, call);
    return reply({ deleted: true }, { cookies: [endedCookie], headers: unkept });
  },
});
