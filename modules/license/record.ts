import { type Scope, time, word, yup } from '@lyceum/core';
import type { License } from './license.ts';
import type { Product } from './product.ts';
import type { LicenseSettings } from './settings.ts';
import { nextCheck, type Standing, standingOf, statuses } from './standing.ts';

/** The license of a product as clients see it. */
export const LicenseRecord = yup.object({
  product_id: yup.string().required(),
  name: yup.string().required(),
  modules: yup.array().of(yup.string().required()).required(),
  scope: word('network', 'site').required(),
  effective_scope: word('network', 'site').nullable().defined(),
  kind: word('server', 'offline').nullable().defined(),
  license_key: yup.string().nullable().defined(),
  status: word(...statuses).required(),
  valid: yup.boolean().required(),
  expires: time().nullable().defined(),
  lifetime: yup.boolean().required(),
  seats: yup
    .object({
      limit: yup.number().integer().required(),
      used: yup.number().integer().nullable().defined(),
      left: yup.number().integer().nullable().defined(),
    })
    .required(),
  customer_name: yup.string().nullable().defined(),
  customer_email: yup.string().nullable().defined(),
  url: yup.string().required(),
  activated_at: time().nullable().defined(),
  checked_at: time().nullable().defined(),
  next_check_at: time().nullable().defined(),
  grace_until: time().nullable().defined(),
  error: yup.object({ code: yup.string().required(), message: yup.string().required() }).nullable().defined(),
});

/** What a record is made of. */
export interface RecordParts {
  readonly product: Product;
  readonly scope: Scope;
  readonly effectiveScope: Scope | null;
  readonly license: License | null;
  /** The license is the network's, and whoever asks is only to know that it is there. */
  readonly hidden: boolean;
  /** Seats taken of a signed key. */
  readonly seatsUsed: number | null;
  readonly url: string;
  readonly settings: LicenseSettings;
  readonly now: Date;
}

const none: Standing = { status: 'inactive', valid: false, grace_until: null };

/** Whole seconds are written without a fraction, as servers give them. */
const shortTime = (at: string | null): string | null => at?.replace('.000Z', 'Z') ?? null;

function seatsOf(license: License | null, counted: number | null) {
  if (!license) return { limit: 0, used: null, left: null };
  const { seat_limit: limit, seats_used, seats_left, kind } = license;
  if (kind === 'server') return { limit, used: seats_used, left: seats_left };
  const used = counted ?? 0;
  return { limit, used, left: limit === 0 ? null : Math.max(0, limit - used) };
}

/** The record of a product, with or without a license. */
export function recordOf(parts: RecordParts): yup.InferType<typeof LicenseRecord> {
  const { product, license, hidden, settings, now } = parts;
  const { status, valid, grace_until } = license ? standingOf(license, settings, now) : none;
  const shown = hidden ? null : license;
  return {
    product_id: product.product_id,
    name: product.name,
    modules: [...product.modules],
    scope: parts.scope,
    effective_scope: parts.effectiveScope,
    kind: license?.kind ?? null,
    license_key: shown?.key_hint ?? null,
    status,
    valid,
    expires: shortTime(license?.expires_at ?? null),
    lifetime: license?.lifetime ?? false,
    seats: seatsOf(license, parts.seatsUsed),
    customer_name: shown?.customer_name ?? null,
    customer_email: shown?.customer_email ?? null,
    url: parts.url,
    activated_at: license?.activated_at ?? null,
    checked_at: license?.checked_at ?? null,
    next_check_at: license && nextCheck(license.checked_at, settings.check_interval_hours, license.share),
    grace_until,
    error: license?.failure ?? null,
  };
}
