import { type Call, defineOperation, record, State, time, yup } from '@lyceum/core';
import { placeOf, productOf, viewpointOf } from '../desk.ts';
import type { License } from '../license.ts';
import type { Product } from '../product.ts';
import { LicenseRecord } from '../record.ts';
import { administrators, scopeToRead } from '../rights.ts';
import { Shelf } from '../shelf.ts';
import type { StoredVersion } from '../version-store.ts';
import { Versions } from '../versions.ts';
import { productParams, scopeField } from './fields.ts';

const LicenseData = yup.object({
  product_id: yup.string().required(),
  license: LicenseRecord.required(),
  server: record().nullable().defined(),
  claims: record().nullable().defined(),
  version: yup
    .object({
      installed: record({ type: 'string' }).required(),
      latest: yup.string().nullable().defined(),
      homepage: yup.string().nullable().defined(),
      changelog: yup.string().nullable().defined(),
      tested: yup.string().nullable().defined(),
      checked_at: time().nullable().defined(),
    })
    .nullable()
    .defined(),
});

/** What tells who bought the license. */
const customerName = /^(?:customer|payment|name$|email$)/i;

function answerOf(license: License | null, hidden: boolean): Readonly<Record<string, unknown>> | null {
  if (!license || !hidden) return license?.answer ?? null;
  return Object.fromEntries(Object.entries(license.answer).filter(([name]) => !customerName.test(name)));
}

function versionOf(call: Call, product: Product, stored: StoredVersion | null) {
  if (!stored?.version) return null;
  const { modules } = call.get(State);
  const installed = product.modules.map((id) => [id, modules.get(id)?.version ?? '']);
  return { installed: Object.fromEntries(installed), ...stored.version, checked_at: stored.fetched_at };
}

export const getData = defineOperation({
  id: 'license.get-data',
  method: 'GET',
  path: 'svc/license/v1/{product_id}/data',
  summary: 'The license of a product with what its server or its key says, and the newest version',
  access: administrators,
  contract: true,
  site: 'selectable',
  input: { params: productParams, query: yup.object({ scope: scopeField() }) },
  output: LicenseData,
  errors: ['license_product_not_found'],
  handle: async ({ params, query }, call) => {
    const scope = scopeToRead(call, query.scope);
    const product = productOf(call, params.product_id);
    const view = await viewpointOf(call, scope);
    const shelf = call.get(Shelf);
    const { own = null, effective = null } =
      (await shelf.holdings(view, product.product_id)).get(product.product_id) ?? {};
    const license = effective ?? own;
    const answer = answerOf(license, license !== own);
    const stored = await call.get(Versions).get(await placeOf(call, scope, product), license);
    return {
      product_id: product.product_id,
      license: await shelf.record(view, product, 'effective'),
      server: license?.kind === 'server' ? answer : null,
      claims: license?.kind === 'offline' ? answer : null,
      version: versionOf(call, product, stored),
    };
  },
});
