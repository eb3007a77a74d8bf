import { defineModule } from '@lyceum/core';
import { operationsOf } from './operations.ts';

/** Runs in the process of the host. */
export default defineModule({
  id: 'bench_near',
  title: 'Near',
  namespaces: ['bench/near/v1'],
  defaultEnabled: true,
  operations: operationsOf('near'),
});
