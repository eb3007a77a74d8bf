import {
  audit,
  type Call,
  CapabilityTable,
  callerOf,
  Database,
  defineOperation,
  fail,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { DisconnectResult, exampleId, revoked } from '../connection.ts';
import { ConnectionStore } from '../connection-store.ts';
import { namespace } from '../site-row.ts';

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const revokeConnection = defineOperation({
  id: 'studio_sync.revoke-connection',
  method: 'DELETE',
  path: `${namespace}/connections/{connection_id}`,
  summary: 'End a connection for good',
  description:
    "One's own, or with `manage_options` on the site where it was made. One that was ended before is answered alike.",
  access: { signedIn: true },
  input: { params: yup.object({ connection_id: yup.string().required() }) },
  output: DisconnectResult,
  errors: ['studio_sync_connection_not_found'],
  example: { answer: { ...revoked(exampleId) } },
  handle: async ({ params }, call) => {
    const { connection_id } = params;
    if (!idForm.test(connection_id)) fail('studio_sync_connection_not_found');
    await call.get(Database).transaction((trx) => revoke(trx, call, connection_id));
    return revoked(connection_id.toLowerCase());
  },
});

async function revoke(trx: Knex.Transaction, call: Call, connectionId: string): Promise<void> {
  const { id, super_admin } = callerOf(call);
  const store = call.get(ConnectionStore);
  const found = await store.lock(trx, connectionId, call.site.network_id, id);
  const manages = found && call.get(CapabilityTable).holds(found.role, super_admin, 'manage_options');
  if (!found || !(found.user_id === id || manages)) return fail('studio_sync_connection_not_found');
  const { connection_id, user_id, blog_id } = found;
  if (!(await store.revoke(trx, connection_id))) return;
  await audit(trx, call, {
    module: 'studio_sync',
    action: 'studio_sync.revoke',
    subject: `connection:${connection_id}`,
    blogId: blog_id,
    from: { status: 'connected' },
    to: { user_id, connection_id, status: 'revoked' },
  });
}
