import { jobOperations, type Operation } from '@lyceum/core';

/** Jobs of every type and module: one's own, and with the network in one's hands everybody's. */
export const operations: readonly Operation[] = jobOperations({
  module: 'host',
  namespace: 'svc/host/v1',
  types: [],
  access: { signedIn: true },
  contract: false,
  listsAll: true,
});
