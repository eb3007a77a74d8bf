import { defineOperation, State, yup } from '@lyceum/core';
import { stateNow } from '../find-module.ts';
import { ModuleRecord, moduleRecord } from '../module-record.ts';
import { administrators } from '../rights.ts';

export const listModules = defineOperation({
  id: 'modules.list',
  method: 'GET',
  path: 'svc/modules/v1/modules',
  summary: 'All installed modules and why each is on or off',
  access: administrators,
  site: 'selectable',
  input: {
    query: yup.object({
      enabled: yup.boolean(),
      search: yup.string().max(200),
    }),
  },
  output: yup.array().of(ModuleRecord).required(),
  handle: async ({ query }, call) => {
    const state = call.get(State);
    const site = await stateNow(call);
    const wanted = query.search?.toLowerCase() ?? '';
    return [...state.modules.values()]
      .map((module) => moduleRecord(module, site, state))
      .filter((record) => query.enabled === undefined || record.enabled === query.enabled)
      .filter(({ id, title, description }) =>
        `${id}\n${title}\n${description}`.toLowerCase().includes(wanted),
      );
  },
});
