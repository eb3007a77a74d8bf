import type { Sealed } from '@lyceum/core';
import type { LicenseKeep } from './places.ts';
import type { Status, Verdict } from './standing.ts';

/** A key of a license server, or a signed one. */
export type Kind = 'server' | 'offline';

/** What a server or a signed key says of a license. */
export interface Facts {
  /** RFC 3339. */
  readonly expires_at: string | null;
  readonly lifetime: boolean;
  /** 0: unlimited. */
  readonly seat_limit: number;
  readonly seats_used: number | null;
  readonly seats_left: number | null;
  readonly customer_name: string | null;
  readonly customer_email: string | null;
  /** The server's last answer without secrets, or the payload of a signed key. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** Why the last check came to nothing. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A license as it is stored. Times are RFC 3339. */
export interface License extends LicenseKeep, Facts {
  readonly license_id: number;
  readonly product_id: string;
  readonly generation: string;
  readonly kind: Kind;
  readonly sealed_key: Sealed;
  /** All that is ever shown of the key. */
  readonly key_hint: string;
  /** Only of a signed key: what its seats are counted by. */
  readonly seat_hash: Buffer | null;
  /** The address that the seat was taken for. */
  readonly url: string;
  /** From 0 to 1: where in the interval its checks lie. */
  readonly share: number;
  readonly verdict: Verdict;
  /** The last status that the audit log knows of. */
  readonly noted_status: Status;
  readonly failure: Failure | null;
  readonly activated_at: string;
  readonly checked_at: string;
  readonly answered_at: string;
  readonly refreshed_at: string | null;
}

/** `****` and the last four characters; nothing of a key that has no more than those. */
export function hintOf(key: string): string {
  const characters = [...key];
  return characters.length > 4 ? `****${characters.slice(-4).join('')}` : '****';
}

/** The name of a license in audit rows. */
export const subjectOf = (productId: string): string => `license:${productId}`;

/** The facts of a license alone. */
export function knownFacts(license: License): Facts {
  const { expires_at, lifetime, seat_limit, seats_used, seats_left } = license;
  const { customer_name, customer_email, answer } = license;
  return { expires_at, lifetime, seat_limit, seats_used, seats_left, customer_name, customer_email, answer };
}
