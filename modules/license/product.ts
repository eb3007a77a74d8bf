import type { InstalledModules, ProductDeclaration } from '@lyceum/core';
import { builtInProducts } from './built-in-products.ts';

/** A product with the modules that are sold under it. */
export interface Product extends ProductDeclaration {
  readonly modules: readonly string[];
}

/** Every product of the installation by its id, in the order of ids; on or off, its modules are installed. */
export function productsOf(modules: InstalledModules): ReadonlyMap<string, Product> {
  const found = new Map<string, Product>();
  for (const product of builtInProducts) {
    const installed = product.modules.filter((id) => modules.has(id));
    found.set(product.product_id, { ...product, modules: installed });
  }
  for (const { id, spec } of modules.values()) {
    for (const declared of spec?.products ?? []) found.set(declared.product_id, join(found, declared, id));
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function join(found: ReadonlyMap<string, Product>, declared: ProductDeclaration, module: string): Product {
  const known = found.get(declared.product_id);
  return {
    ...declared,
    ...known,
    public_keys: [...new Set([...(known?.public_keys ?? []), ...declared.public_keys])],
    modules: [...new Set([...(known?.modules ?? []), module])].sort(),
  };
}

/** Whether an answer that names this item speaks of another product than the one that was asked for. */
export function isOfAnother(
  products: ReadonlyMap<string, Product>,
  asked: Product,
  answer: Readonly<Record<string, unknown>>,
): boolean {
  const { item_id: id, item_name: name } = answer;
  return [...products.values()].some(
    (other) =>
      other.product_id !== asked.product_id &&
      ((other.item_id !== asked.item_id && String(other.item_id) === String(id)) ||
        (other.item_name !== asked.item_name && other.item_name === name)),
  );
}
