import { callerOf, defineOperation, Networks, page, pageQuery, yup } from '@lyceum/core';
import { Network } from '../network-fields.ts';

export const listNetworks = defineOperation({
  id: 'multi_network.list-networks',
  method: 'GET',
  path: 'svc/multi-network/v1/networks',
  summary: 'The networks that the caller may see, by id',
  description:
    'Super admins of the first network see all networks; others those whose super admins they are.',
  access: { canAny: ['create_networks', 'manage_network'] },
  contract: true,
  input: { query: yup.object({ search: yup.string().max(253), ...pageQuery() }) },
  output: yup.array().of(Network.required()).required(),
  paged: true,
  handle: async ({ query }, call) => {
    const service = call.get(Networks);
    const { networks, total } = await service.list(callerOf(call).id, query.search, query);
    return page(
      networks.map((network) => service.show(network)),
      total,
    );
  },
});
