import { Database, defineOperation, fail, PasswordLogin, reply, Sessions, Users, yup } from '@lyceum/core';
import { userExample } from '../../user-record.ts';
import { SessionRecord, unkept } from './session-record.ts';

export const createSession = defineOperation({
  id: 'host.create-session',
  method: 'POST',
  path: 'svc/host/v1/session',
  summary: 'Sign in by password and get a cookie session',
  access: { public: 'it is how one comes in' },
  input: {
    body: yup.object({
      login: yup.string().max(254).required(),
      password: yup.string().max(1000).required(),
      remember: yup.boolean().default(false),
    }),
  },
  output: SessionRecord,
  errors: ['rest_invalid_login', 'rest_too_many_requests'],
  example: {
    body: { login: 'ann', password: 'correct horse battery staple', remember: true },
    answer: { user: userExample, nonce: 'qkPvGf0a3mQ2x1Wb7Zc9dE4fH6j' },
  },
  handle: async ({ body }, call) => {
    const proven = await call.get(PasswordLogin).attempt(body.login, body.password, call.ip);
    if (!proven) return fail('rest_invalid_login');
    const users = call.get(Users);
    return call.get(Database).transaction(async (trx) => {
      // A password that was changed since it was looked at must not open a session that outlives the change.
      if (!(await users.passwordHolds(trx, proven.id, proven.password_hash))) fail('rest_invalid_login');
      const user = await users.find(trx, call.site, proven.id);
      const { cookie, nonce } = await call.get(Sessions).begin(trx, call, proven.id, body.remember);
      return reply({ user, nonce }, { cookies: [cookie], headers: { ...unkept, 'X-Svc-Nonce': nonce } });
    });
  },
});
