import { Database, defineModule } from '@lyceum/core';
import { AuditStore } from './audit-store.ts';
import { errors } from './errors.ts';
import { removeFiles } from './jobs/remove-files.ts';
import { MultiNetworkStore } from './multi-network-store.ts';
import { operations } from './operations/index.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'modules',
  title: 'Modules',
  description: 'What is installed, what is on, and who changed it.',
  namespaces: ['svc/modules/v1'],
  locked: true,
  settings,
  errors,
  operations,
  jobs: [removeFiles],
  services: (provide) => [
    provide(AuditStore, [Database], (db) => new AuditStore(db)),
    provide(MultiNetworkStore, [Database], (db) => new MultiNetworkStore(db)),
  ],
});
