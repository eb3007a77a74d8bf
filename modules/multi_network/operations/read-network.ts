import { callerOf, defineOperation, idText, Networks, readId, yup } from '@lyceum/core';
import { Network } from '../network-fields.ts';

export const readNetwork = defineOperation({
  id: 'multi_network.read-network',
  method: 'GET',
  path: 'svc/multi-network/v1/networks/{network_id}',
  summary: 'One network that the caller may see',
  access: { canAny: ['create_networks', 'manage_network'] },
  contract: true,
  input: { params: yup.object({ network_id: idText() }) },
  output: Network,
  errors: ['network_not_found'],
  handle: async ({ params }, call) => {
    const service = call.get(Networks);
    return service.show(await service.get(callerOf(call).id, readId(params.network_id)));
  },
});
