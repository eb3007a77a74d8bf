import { jobOperations, type Operation } from '@lyceum/core';
import { diagnose } from './diagnose.ts';
import { getStatuses } from './get-statuses.ts';
import { startSync } from './start-sync.ts';

export const operations: readonly Operation[] = [
  ...[startSync, getStatuses, diagnose],
  ...jobOperations({
    module: 'embedding',
    namespace: 'svctutor/embedding/v1',
    types: ['embedding.'],
    access: { can: 'manage_options' },
    contract: false,
    listsAll: false,
    ofSite: true,
  }),
];
