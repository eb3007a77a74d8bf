import {
  type Call,
  callerOf,
  defineOperation,
  fail,
  invalidParams,
  operatorNetworkId,
  State,
  yup,
} from '@lyceum/core';
import { removeModuleData } from '../module-data.ts';
import { MultiNetworkStore } from '../multi-network-store.ts';

const Removed = yup.object({
  id: yup.string().required(),
  tables: yup.array().of(yup.string().required()).required(),
  migrations: yup.number().integer().required(),
  settings: yup.number().integer().required(),
  posts: yup.number().integer().required(),
  terms: yup.number().integer().required(),
  meta: yup.number().integer().required(),
  jobs: yup.number().integer().required(),
  files: yup.number().integer().required(),
});

export const deleteData = defineOperation({
  id: 'modules.delete-data',
  method: 'DELETE',
  path: 'svc/modules/v1/modules/{id}/data',
  summary: 'Remove all that a module keeps, in the whole installation',
  description:
    'For super admins of the first network. The module must be off everywhere; `confirm` repeats its id. Tables, record of steps, settings, jobs, meta, and the records of its post types and taxonomies go at once, files by a job. An installed module has empty tables afterwards. Of a package that is gone the tables, settings and jobs are known.',
  access: {
    check: ({ site, user }) => user !== null && (site.network_id !== operatorNetworkId || user.super_admin),
    because: 'super admins of the first network',
  },
  input: {
    params: yup.object({ id: yup.string().required() }),
    query: yup.object({ confirm: yup.string().max(60).required() }),
  },
  output: Removed,
  errors: ['module_not_found', 'module_toggle_refused', 'module_data_in_use'],
  handle: async ({ params, query }, call) => {
    await onlyOperators(call);
    if (query.confirm !== params.id) invalidParams({ confirm: 'must be the id of the module' });
    const module = call.get(State).modules.get(params.id) ?? null;
    if (module?.spec?.locked) fail('module_toggle_refused', { data: { reason: 'locked' } });
    return removeModuleData(call, params.id, module?.spec ?? null);
  },
});

async function onlyOperators(call: Call): Promise<void> {
  if (!(await call.get(MultiNetworkStore).isOperator(callerOf(call).id))) fail('rest_forbidden');
}
