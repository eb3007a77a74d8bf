import type { Call } from '@lyceum/core';
import { defineOperation, yup } from '@lyceum/core';
import { Checks } from '../checks.ts';
import { productOf, viewpointOf } from '../desk.ts';
import { Places } from '../places.ts';
import type { Product } from '../product.ts';
import { LicenseRecord } from '../record.ts';
import { administrators, scopeToRead } from '../rights.ts';
import { Shelf, type Viewpoint } from '../shelf.ts';
import { productParams, scopeField } from './fields.ts';

/** Checks the scope's own license and the one that holds there. */
async function refresh(call: Call, view: Viewpoint, product: Product): Promise<void> {
  const holding = (await call.get(Shelf).holdings(view, product.product_id)).get(product.product_id);
  const licenses = new Set([holding?.own ?? null, holding?.effective ?? null]);
  await Promise.all(
    [...licenses].map(async (license) => {
      const ground = license && (await call.get(Places).ground(license));
      if (ground) await call.get(Checks).refresh(call, { ...ground, product }, license);
    }),
  );
}

export const getStatus = defineOperation({
  id: 'license.get-status',
  method: 'GET',
  path: 'svc/license/v1/{product_id}/status',
  summary: 'The license of a product, as it is stored',
  description:
    'With `refresh` it is checked before, at most once in 10 s; a server that cannot be reached shows in the status.',
  access: administrators,
  contract: true,
  site: 'selectable',
  input: {
    params: productParams,
    query: yup.object({ scope: scopeField(), refresh: yup.boolean().default(false) }),
  },
  output: LicenseRecord,
  errors: ['license_product_not_found'],
  handle: async ({ params, query }, call) => {
    const scope = scopeToRead(call, query.scope);
    const product = productOf(call, params.product_id);
    const view = await viewpointOf(call, scope);
    if (query.refresh) await refresh(call, view, product);
    return call.get(Shelf).record(view, product, 'effective');
  },
});
