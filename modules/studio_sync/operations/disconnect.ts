import { audit, Database, defineOperation, fail, provedBy, yup } from '@lyceum/core';
import { bearer } from '../bearer.ts';
import { DisconnectResult, exampleId, revoked } from '../connection.ts';
import { ConnectionStore } from '../connection-store.ts';
import { namespace } from '../site-row.ts';

export const disconnect = defineOperation({
  id: 'studio_sync.disconnect',
  method: 'POST',
  path: `${namespace}/desktop/disconnect`,
  summary: 'End the connection for good',
  description: 'It must be named, so that nobody ends another one than he means.',
  access: { secret: bearer },
  contract: true,
  input: { body: yup.object({ connection_id: yup.string().required() }) },
  badInput: 'studio_sync_bad_disconnect_request',
  output: DisconnectResult,
  errors: ['studio_sync_connection_mismatch'],
  example: { body: { connection_id: exampleId }, answer: { ...revoked(exampleId) } },
  handle: async ({ body }, call) => {
    const { connection_id, user_id } = provedBy(call, bearer);
    if (body.connection_id !== connection_id) fail('studio_sync_connection_mismatch');
    await call.get(Database).transaction(async (trx) => {
      if (!(await call.get(ConnectionStore).revoke(trx, connection_id))) return;
      await audit(trx, call, {
        module: 'studio_sync',
        action: 'studio_sync.disconnect',
        subject: `connection:${connection_id}`,
        from: { status: 'connected' },
        to: { user_id, connection_id, status: 'revoked' },
      });
    });
    return revoked(connection_id);
  },
});
