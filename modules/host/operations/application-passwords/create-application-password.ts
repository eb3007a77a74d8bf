import {
  Addresses,
  ApplicationPasswords,
  audit,
  callerOf,
  Database,
  defineOperation,
  fail,
  reply,
  yup,
} from '@lyceum/core';
import { ApplicationPasswordRecord } from './application-password-record.ts';

export const createApplicationPassword = defineOperation({
  id: 'host.create-application-password',
  method: 'POST',
  path: 'svc/host/v1/application-passwords',
  summary: 'Make an application password; it is shown this once',
  access: { signedIn: true },
  input: { body: yup.object({ name: yup.string().max(100).required() }) },
  success: 201,
  output: ApplicationPasswordRecord.shape({ password: yup.string().required() }),
  errors: ['too_many_application_passwords'],
  example: { body: { name: 'Backup script' } },
  handle: async ({ body }, call) => {
    const userId = callerOf(call).id;
    const made = await call.get(Database).transaction(async (trx) => {
      const created = await call.get(ApplicationPasswords).create(trx, userId, body.name);
      if (!created) return fail('too_many_application_passwords');
      await audit(trx, call, {
        module: 'host',
        action: 'application_password.create',
        subject: `application_password:${created.uuid}`,
        blogId: null,
        to: { name: created.name, user_id: userId },
      });
      return created;
    });
    const Location = call.get(Addresses).route(call.site, `svc/host/v1/application-passwords/${made.uuid}`);
    return reply(made, { headers: { Location, 'Cache-Control': 'no-store' } });
  },
});
