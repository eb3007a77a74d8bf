import { audit, on } from '@lyceum/core';
import { ConnectionStore } from './connection-store.ts';

/** Connections end with the account that they act as. */
export const followDeletedUsers = on('user.deleted', async ({ userId }, { trx, actor, get }) => {
  for (const connection_id of await get(ConnectionStore).revokeAll(trx, userId)) {
    await audit(trx, actor, {
      module: 'studio_sync',
      action: 'studio_sync.revoke',
      subject: `connection:${connection_id}`,
      from: { status: 'connected' },
      to: { user_id: userId, connection_id, status: 'revoked', because: 'user deleted' },
    });
  }
});
