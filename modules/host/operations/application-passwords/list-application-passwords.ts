import { ApplicationPasswords, callerOf, Database, defineOperation, yup } from '@lyceum/core';
import { ApplicationPasswordRecord } from './application-password-record.ts';

export const listApplicationPasswords = defineOperation({
  id: 'host.list-application-passwords',
  method: 'GET',
  path: 'svc/host/v1/application-passwords',
  summary: "One's own application passwords, without the passwords",
  access: { signedIn: true },
  output: yup.array().of(ApplicationPasswordRecord.required()).required(),
  handle: (_input, call) => call.get(ApplicationPasswords).list(call.get(Database).knex, callerOf(call).id),
});
