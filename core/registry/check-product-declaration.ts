import { isPlainObject } from '../api/schema.ts';

const productForm = /^[a-z0-9][a-z0-9._-]{0,99}$/;
/** Raw bytes in hex, or SPKI DER in base64. */
const publicKeyForm = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{59}=)$/;
const keys = new Set(['product_id', 'name', 'item_id', 'item_name', 'public_keys']);
const longestName = 200;

const isName = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= longestName;

/** What is wrong with the declaration of a product: the field below it and the mend; null when nothing is. */
export function productFault(product: unknown): readonly [field: string, mend: string] | null {
  if (!isPlainObject(product)) return ['', 'every entry must be an object.'];
  const { product_id: id, name, item_id, item_name, public_keys } = product;
  if (typeof id !== 'string' || !productForm.test(id)) {
    return ['.product_id', `must match ${productForm.source}.`];
  }
  const unknown = Object.keys(product).find((key) => !keys.has(key));
  if (unknown) return [`.${id}.${unknown}`, 'is no key of a product; remove it.'];
  if (!isName(name)) return [`.${id}.name`, `must be a text of at most ${longestName} characters.`];
  if (!isName(item_name)) return [`.${id}.item_name`, `must be a text of at most ${longestName} characters.`];
  if (!Number.isSafeInteger(item_id) || (item_id as number) < 1) {
    return [`.${id}.item_id`, 'must be an integer from 1.'];
  }
  if (!Array.isArray(public_keys) || !public_keys.every((key) => publicKeyForm.test(String(key)))) {
    return [`.${id}.public_keys`, 'must be an array of Ed25519 keys: 64 hex digits, or base64 of SPKI DER.'];
  }
  return null;
}
