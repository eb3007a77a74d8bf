import type { Place } from '../places.ts';
import { isForHost, type OfflineKey, readOfflineKey } from './offline-key.ts';

/** Why a key without a server does not hold at a place; the words are those that servers use. */
export type OfflineFault = 'missing' | 'key_mismatch' | 'expired' | 'license_not_activable';

/** Whether the key holds at the place now; seats are not looked at. */
export function judgeOfflineKey(
  key: string,
  { product, settings, url }: Place,
  now: Date,
): { readonly key: OfflineKey; readonly fault: null } | { readonly key: null; readonly fault: OfflineFault } {
  const read = readOfflineKey(key, [...product.public_keys, ...settings.public_keys]);
  if (!read) return { key: null, fault: 'missing' };
  const { claims } = read;
  if (claims.product !== product.product_id) return { key: null, fault: 'key_mismatch' };
  if (claims.expires !== null && claims.expires <= now) return { key: null, fault: 'expired' };
  const host = new URL(url).hostname.replace(/\.$/, '');
  if (!isForHost(claims.hosts, host)) return { key: null, fault: 'license_not_activable' };
  return { key: read, fault: null };
}
