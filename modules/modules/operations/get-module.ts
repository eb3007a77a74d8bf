import { defineOperation, State, yup } from '@lyceum/core';
import { findModule, stateNow } from '../find-module.ts';
import { ModuleRecord, moduleRecord } from '../module-record.ts';
import { administrators } from '../rights.ts';

export const getModule = defineOperation({
  id: 'modules.get',
  method: 'GET',
  path: 'svc/modules/v1/modules/{id}',
  summary: 'One installed module and why it is on or off',
  access: administrators,
  site: 'selectable',
  input: { params: yup.object({ id: yup.string().required() }) },
  output: ModuleRecord,
  errors: ['module_not_found'],
  handle: async ({ params }, call) =>
    moduleRecord(findModule(call, params.id), await stateNow(call), call.get(State)),
});
