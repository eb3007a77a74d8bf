import type { Facts } from '../license.ts';
import type { OfflineKey } from './offline-key.ts';

const longestText = 254;

/** What a signed key says of its license; how many of its seats are taken is counted when somebody asks. */
export function offlineFacts({ claims, payload }: OfflineKey): Facts {
  return {
    expires_at: claims.expires?.toISOString() ?? null,
    lifetime: claims.expires === null,
    seat_limit: claims.seats,
    seats_used: null,
    seats_left: null,
    customer_name: claims.name?.slice(0, longestText).toWellFormed() ?? null,
    customer_email: claims.email?.slice(0, longestText).toWellFormed() ?? null,
    answer: payload,
  };
}
