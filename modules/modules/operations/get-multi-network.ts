import { defineOperation, time, yup } from '@lyceum/core';
import { MultiNetworkStore } from '../multi-network-store.ts';

export const CommitRecord = yup.object({
  committed: yup.boolean().required(),
  committed_at: time().nullable().defined(),
  committed_by: yup.number().integer().nullable().defined(),
  networks: yup.number().integer().required(),
});

export const getMultiNetwork = defineOperation({
  id: 'modules.get-multi-network',
  method: 'GET',
  path: 'svc/modules/v1/multi-network',
  summary: 'Whether a multi-network setup is committed',
  access: { can: 'manage_network_options', onSingleSite: 'manage_options' },
  output: CommitRecord,
  handle: (_input, call) => call.get(MultiNetworkStore).read(),
});
