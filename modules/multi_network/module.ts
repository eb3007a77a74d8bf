import { defineModule, networkCommitted } from '@lyceum/core';
import { errors } from './errors.ts';
import { createNetwork } from './operations/create-network.ts';
import { listNetworks } from './operations/list-networks.ts';
import { readNetwork } from './operations/read-network.ts';
import { settings } from './settings.ts';

export default defineModule({
  id: 'multi_network',
  title: 'Multi-network',
  description: 'Several networks in one installation, each with its own sites and super admins.',
  namespaces: ['svc/multi-network/v1'],
  scopes: ['network'],
  defaultEnabled: true,
  conditions: [
    {
      id: 'multi_network_committed',
      title: 'A multi-network setup is committed on the installation',
      when: networkCommitted(),
    },
  ],
  settings,
  errors,
  operations: [listNetworks, readNetwork, createNetwork],
});
