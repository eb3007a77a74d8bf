import { audit, type Call, Database, defineSecret, fail } from '@lyceum/core';
import { type Connection, idleDaysOf } from './connection.ts';
import { ConnectionStore, type FoundConnection } from './connection-store.ts';
import { hashToken } from './token.ts';

/** The access token of a connection: it acts as its user, on every site of its network. */
export const bearer = defineSecret<Connection>({
  id: 'studio_sync.connection',
  title: 'The access token that a desktop studio got when it connected.',
  in: 'bearer',
  refusals: {
    missing: 'studio_sync_missing_auth',
    wrong: 'studio_sync_invalid_token',
    denied: 'studio_sync_insufficient_permissions',
  },
  errors: ['studio_sync_connection_revoked'],
  recognise: async (token, call) => {
    const store = call.get(ConnectionStore);
    const idleDays = idleDaysOf(call);
    const found = await store.byToken(hashToken('access', token), call.site.network_id, idleDays);
    if (!found) return null;
    if (found.idle) await endIdle(call, found, idleDays);
    if (found.idle || found.status === 'revoked') fail('studio_sync_connection_revoked');
    const last_used_at = found.use_is_old ? await store.noteUse(found.connection_id) : found.last_used_at;
    return { userId: found.user_id, proof: { ...found, last_used_at } };
  },
});

/** What was not used for long is over for good, also where connections may be silent for longer later. */
function endIdle(call: Call, { connection_id, user_id }: FoundConnection, idleDays: number): Promise<void> {
  return call.get(Database).transaction(async (trx) => {
    if (!(await call.get(ConnectionStore).revokeIdle(trx, connection_id, idleDays))) return;
    await audit(trx, call, {
      module: 'studio_sync',
      action: 'studio_sync.revoke',
      subject: `connection:${connection_id}`,
      from: { status: 'connected' },
      to: { user_id, connection_id, status: 'revoked', because: 'idle' },
    });
  });
}
