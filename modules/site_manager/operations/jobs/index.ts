import { jobOperations, type Operation } from '@lyceum/core';

export const operations: readonly Operation[] = jobOperations({
  module: 'site_manager',
  namespace: 'svc/site-manager/v1',
  types: ['site_manager.'],
  access: { canAny: ['manage_network', 'manage_options'] },
  contract: true,
  listsAll: false,
});
