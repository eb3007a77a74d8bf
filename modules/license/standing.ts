import type { LicenseSettings } from './settings.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** What the last answer about a license came to. */
export const verdicts = ['valid', 'expired', 'disabled', 'site_inactive', 'invalid'] as const;
export type Verdict = (typeof verdicts)[number];

/** A license as people see it. */
export const statuses = ['inactive', ...verdicts, 'grace', 'unreachable'] as const;
export type Status = (typeof statuses)[number];

/** What a standing is computed from. Times are RFC 3339. */
export interface Judged {
  readonly verdict: Verdict;
  readonly expires_at: string | null;
  /** The last check came to nothing. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** When an answer came last. */
  readonly answered_at: string;
}

export interface Standing {
  readonly status: Status;
  readonly valid: boolean;
  readonly grace_until: string | null;
}

/** How a license stands now. Expiry and the end of grace need nobody to notice them. */
export function standingOf(
  { verdict, expires_at, failure, answered_at }: Judged,
  { grace_days }: Pick<LicenseSettings, 'grace_days'>,
  now: Date,
): Standing {
  if (verdict !== 'valid') return { status: verdict, valid: false, grace_until: null };
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) {
    return { status: 'expired', valid: false, grace_until: null };
  }
  if (failure === null) return { status: 'valid', valid: true, grace_until: null };
  const until = Date.parse(answered_at) + grace_days * day;
  const holds = now.getTime() < until && grace_days > 0;
  return {
    status: holds ? 'grace' : 'unreachable',
    valid: holds,
    grace_until: new Date(until).toISOString(),
  };
}

/**
 * Time is cut into turns of the interval, shifted by the license's share of it (0 to 1): so checks of many licenses
 * are spread, and a new interval holds at once.
 */
export const turnOf = (at: number, intervalHours: number, share: number): number =>
  Math.floor(at / (intervalHours * hour) - share);

/** When the turn after that of `checkedAt` begins. */
export function nextCheck(checkedAt: string, intervalHours: number, share: number): string {
  const turn = turnOf(Date.parse(checkedAt), intervalHours, share) + 1;
  return new Date(Math.round((turn + share) * intervalHours * hour)).toISOString();
}
