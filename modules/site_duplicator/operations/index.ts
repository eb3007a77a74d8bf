import { jobOperations, type Operation } from '@lyceum/core';
import { duplicateSite } from './duplicate-site.ts';

export const operations: readonly Operation[] = [
  duplicateSite,
  ...jobOperations({
    module: 'site_duplicator',
    namespace: 'svc/site-duplicator/v1',
    types: ['site_duplicator.'],
    access: { canAny: ['manage_network', 'manage_options'] },
    contract: true,
    listsAll: false,
  }),
];
