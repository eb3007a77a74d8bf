import { type Call, fail, type Scope } from '@lyceum/core';
import { type Ground, type Place, Places } from './places.ts';
import type { Product } from './product.ts';
import { Shelf, type Viewpoint } from './shelf.ts';

/** @throws `license_product_not_found` */
export function productOf(call: Call, productId: string): Product {
  return call.get(Places).products.get(productId) ?? fail('license_product_not_found');
}

/** What the call's caller looks at. */
export async function viewpointOf(call: Call, scope: Scope): Promise<Viewpoint> {
  const { site, url, settings } = await groundOf(call, scope);
  return { scope, site: scope === 'site' ? call.site : site, url, settings };
}

/** The place that a call in this scope is to change. */
export async function placeOf(call: Call, scope: Scope, product: Product): Promise<Place> {
  return { ...(await groundOf(call, scope)), product };
}

async function groundOf(call: Call, scope: Scope): Promise<Ground> {
  const places = call.get(Places);
  return (await places.ground(places.keepOf(scope, call.site))) ?? fail('site_not_found');
}

/** The record of the scope's own license, as it is now. */
export const ownRecord = async (call: Call, scope: Scope, product: Product) =>
  call.get(Shelf).record(await viewpointOf(call, scope), product, 'own');
