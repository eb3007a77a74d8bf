import { CapabilityTable, Database, defineModule } from '@lyceum/core';
import { ConnectTokenStore } from './connect-token-store.ts';
import { Connecting } from './connecting.ts';
import { ConnectionStore } from './connection-store.ts';
import { errors } from './errors.ts';
import { followDeletedUsers } from './listeners.ts';
import { createStudioSync } from './migrations/001-studio-sync.ts';
import { operations } from './operations/index.ts';
import { forgetTokens } from './schedules.ts';
import { settings } from './settings.ts';
import { namespace } from './site-row.ts';

export default defineModule({
  id: 'studio_sync',
  title: 'Desktop studio',
  description: 'Documents for desktop editors: connected by a token, sent back only where nobody else wrote.',
  namespaces: [namespace],
  defaultEnabled: true,
  settings,
  errors,
  tables: { studio_connect_tokens: { copy: 'none' }, studio_connections: { copy: 'none' } },
  migrations: [createStudioSync],
  services: (provide) => [
    provide(ConnectTokenStore, [], () => new ConnectTokenStore()),
    provide(ConnectionStore, [Database], (db) => new ConnectionStore(db)),
    provide(
      Connecting,
      [Database, ConnectTokenStore, ConnectionStore, CapabilityTable],
      (db, tokens, connections, capabilities) => new Connecting(db, tokens, connections, capabilities),
    ),
  ],
  listeners: [followDeletedUsers],
  operations,
  schedules: [forgetTokens],
});
