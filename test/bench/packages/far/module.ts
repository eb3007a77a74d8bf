import { defineModule } from '@lyceum/core';
import { operationsOf } from '../near/operations.ts';

/** The same in a worker of its own. */
export default defineModule({
  id: 'bench_far',
  title: 'Far',
  namespaces: ['bench/far/v1'],
  defaultEnabled: true,
  operations: operationsOf('far'),
});
