import { ApplicationPasswords, audit, callerOf, Database, defineOperation, fail, yup } from '@lyceum/core';

export const revokeApplicationPassword = defineOperation({
  id: 'host.revoke-application-password',
  method: 'DELETE',
  path: 'svc/host/v1/application-passwords/{uuid}',
  summary: "Revoke one of one's own application passwords, at once",
  access: { signedIn: true },
  input: { params: yup.object({ uuid: yup.string().required() }) },
  output: yup.object({ deleted: yup.boolean().required(), uuid: yup.string().required() }),
  errors: ['application_password_not_found'],
  handle: ({ params }, call) => {
    const userId = callerOf(call).id;
    const uuid = params.uuid.toLowerCase();
    return call.get(Database).transaction(async (trx) => {
      const name = await call.get(ApplicationPasswords).revoke(trx, userId, uuid);
      if (name === null) return fail('application_password_not_found');
      await audit(trx, call, {
        module: 'host',
        action: 'application_password.delete',
        subject: `application_password:${uuid}`,
        blogId: null,
        from: { name, user_id: userId },
      });
      return { deleted: true, uuid };
    });
  },
});
