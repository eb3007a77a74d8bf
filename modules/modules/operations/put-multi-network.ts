import {
  audit,
  type Call,
  callerOf,
  Database,
  defineOperation,
  fail,
  operatorNetworkId,
  yup,
} from '@lyceum/core';
import { MultiNetworkStore } from '../multi-network-store.ts';
import { CommitRecord } from './get-multi-network.ts';

export const putMultiNetwork = defineOperation({
  id: 'modules.put-multi-network',
  method: 'PUT',
  path: 'svc/modules/v1/multi-network',
  summary: 'Commit a multi-network setup, or withdraw it',
  description: 'For super admins of the first network.',
  access: {
    check: ({ site, user }) => user !== null && (site.network_id !== operatorNetworkId || user.super_admin),
    because: 'super admins of the first network',
  },
  input: { body: yup.object({ committed: yup.boolean().required() }) },
  output: CommitRecord,
  errors: ['multi_network_unsupported', 'multi_network_in_use'],
  example: { body: { committed: true } },
  handle: async ({ body }, call) => {
    if (!(await call.get(MultiNetworkStore).isOperator(callerOf(call).id))) fail('rest_forbidden');
    if (call.single) fail('multi_network_unsupported');
    await commit(call, body.committed);
    return call.get(MultiNetworkStore).read();
  },
});

async function commit(call: Call, committed: boolean): Promise<void> {
  const store = call.get(MultiNetworkStore);
  await call.get(Database).transaction(async (trx) => {
    const present = await store.lock(trx);
    if (present.committed === committed) return;
    if (!committed && present.networks > 1)
      fail('multi_network_in_use', { data: { networks: present.networks } });
    await store.write(trx, committed ? callerOf(call).id : null);
    await audit(trx, call, {
      module: 'modules',
      action: 'multi_network.commit',
      subject: 'installation:1',
      scope: 'network',
      blogId: null,
      from: present.committed,
      to: committed,
    });
  });
}
