import { defineOperation, yup } from '@lyceum/core';
import { viewpointOf } from '../desk.ts';
import { Places } from '../places.ts';
import { LicenseRecord } from '../record.ts';
import { administrators, scopeToRead } from '../rights.ts';
import { Shelf } from '../shelf.ts';
import { scopeField } from './fields.ts';

export const listProducts = defineOperation({
  id: 'license.list-products',
  method: 'GET',
  path: 'svc/license/v1/products',
  summary: 'Every product with its license, by product_id',
  access: administrators,
  contract: true,
  site: 'selectable',
  input: { query: yup.object({ scope: scopeField() }) },
  output: yup.array().of(LicenseRecord.required()).required(),
  handle: async ({ query }, call) => {
    const view = await viewpointOf(call, scopeToRead(call, query.scope));
    return call.get(Shelf).records(view, [...call.get(Places).products.values()], 'effective');
  },
});
