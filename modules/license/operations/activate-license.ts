import { callerOf, Database, defineOperation, RateLimits, yup } from '@lyceum/core';
import { Activation } from '../activation.ts';
import { ownRecord, placeOf, productOf } from '../desk.ts';
import { LicenseRecord } from '../record.ts';
import { administrators, scopeToChange } from '../rights.ts';
import { withTurn } from '../with-turn.ts';
import { productParams, scopeField } from './fields.ts';

const longestKey = 2_048;

/** Refused ones count: keys are not to be guessed. */
const activations = { name: 'license-activations', points: 20, seconds: 60 };

const oneLine = (text: string | undefined): boolean => text === undefined || !/[\r\n\0]/.test(text);

export const activateLicense = defineOperation({
  id: 'license.activate-license',
  method: 'POST',
  path: 'svc/license/v1/{product_id}/activate',
  summary: 'Make a key the license of a product',
  description:
    'Keys that begin with `key/` are verified here, others by the license server. `data.reason` says why one is refused.',
  access: administrators,
  contract: true,
  site: 'selectable',
  input: {
    params: productParams,
    body: yup.object({
      license_key: yup
        .string()
        .required()
        .min(1)
        .max(longestKey)
        .test('line', 'must be one line', oneLine)
        .test('text', 'must not be empty', (text) => text.trim() !== ''),
      scope: scopeField(),
    }),
  },
  output: LicenseRecord,
  errors: [
    'rest_forbidden',
    'license_product_not_found',
    'license_refused',
    'license_server_not_configured',
    'license_busy',
    'license_server_unreachable',
    'rest_too_many_requests',
  ],
  example: { body: { license_key: '0123456789abcdef0123456789abcdef' } },
  handle: async ({ params, body }, call) => {
    const scope = scopeToChange(call, body.scope);
    const product = productOf(call, params.product_id);
    await call.get(RateLimits).count(activations, String(callerOf(call).id));
    const place = await placeOf(call, scope, product);
    await withTurn(call.get(Database), place, (turn) =>
      call.get(Activation).run(call, place, body.license_key.trim(), turn),
    );
    return ownRecord(call, scope, product);
  },
});
