import { Database, defineOperation, yup } from '@lyceum/core';
import { ownRecord, placeOf, productOf } from '../desk.ts';
import { findLicense } from '../license-store.ts';
import { LicenseRecord } from '../record.ts';
import { Release } from '../release.ts';
import { administrators, scopeToChange } from '../rights.ts';
import { withTurn } from '../with-turn.ts';
import { productParams, scopeField } from './fields.ts';

export const deactivateLicense = defineOperation({
  id: 'license.deactivate-license',
  method: 'POST',
  path: 'svc/license/v1/{product_id}/deactivate',
  summary: 'Release the license of a product and forget its key',
  description: 'With `force` it is removed here even when the license server cannot be told.',
  access: administrators,
  contract: true,
  site: 'selectable',
  input: {
    params: productParams,
    body: yup.object({ force: yup.boolean().default(false), scope: scopeField() }),
  },
  output: LicenseRecord,
  errors: [
    'rest_forbidden',
    'license_product_not_found',
    'license_server_not_configured',
    'license_busy',
    'license_server_unreachable',
  ],
  handle: async ({ params, body }, call) => {
    const scope = scopeToChange(call, body.scope);
    const product = productOf(call, params.product_id);
    const place = await placeOf(call, scope, product);
    const db = call.get(Database);
    if (await findLicense(db.knex, place.keep, product.product_id)) {
      await withTurn(db, place, () => call.get(Release).run(call, place, body.force));
    }
    return ownRecord(call, scope, product);
  },
});
