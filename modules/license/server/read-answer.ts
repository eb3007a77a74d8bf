import type { Facts } from '../license.ts';
import type { Verdict } from '../standing.ts';
import { cleanAnswer, cleanText } from './clean-answer.ts';
import { type RawAnswer, saidNothing } from './license-server.ts';

/** Words by which an activation is refused. */
export const refusals = [
  'missing',
  'missing_url',
  'license_not_activable',
  'disabled',
  'no_activations_left',
  'expired',
  'key_mismatch',
  'invalid_item_id',
  'item_name_mismatch',
  'invalid',
] as const;
export type RefusalReason = (typeof refusals)[number];

const mostSeats = 2_147_483_647;

/** Seconds since 1970 of the year 2001: smaller numbers are no times. */
const earliestSeconds = 978_307_200;
const latestSeconds = 253_402_300_799;

const moment = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})Z?$/;

/** Why the server refuses, in one of the known words. */
export function refusalOf({ error, license }: RawAnswer): RefusalReason {
  const word = typeof error === 'string' && error !== '' ? error : license;
  if (word === 'revoked') return 'disabled';
  return refusals.find((known) => known === word) ?? 'invalid';
}

/** Whether the answer grants what was asked for; servers say it twice. */
export const grants = ({ success, license }: RawAnswer): boolean => license === 'valid' && success !== false;

/**
 * What a check says of the license.
 * @throws ServerUnreachable for an object that says nothing of it
 */
export function verdictOf(answer: RawAnswer): Verdict {
  const { license: word } = answer;
  if (typeof word !== 'string') throw saidNothing();
  if (word === 'valid') return grants(answer) ? 'valid' : 'invalid';
  if (word === 'expired' || word === 'disabled' || word === 'site_inactive') return word;
  return word === 'revoked' ? 'disabled' : 'invalid';
}

/** What the answer says besides. Numbers may be texts, and what is absent or odd is unknown. */
export function factsOf(answer: RawAnswer, key: string): Facts {
  const left = countOf(answer.activations_left);
  const used = countOf(answer.site_count);
  const limit = countOf(answer.license_limit);
  const isUnlimited = answer.activations_left === 'unlimited' || answer.license_limit === 'unlimited';
  const seats = isUnlimited ? 0 : (limit ?? (left !== null && used !== null ? left + used : 0));
  const text = (value: unknown, longest: number): string | null =>
    typeof value === 'string' && value !== '' ? cleanText(value, key, longest) : null;
  return {
    expires_at: expiryOf(answer.expires),
    lifetime: answer.expires === 'lifetime',
    seat_limit: Math.min(seats, mostSeats),
    seats_used: used,
    seats_left: seats === 0 ? null : left,
    customer_name: text(answer.customer_name, 200),
    customer_email: text(answer.customer_email, 254),
    answer: cleanAnswer(answer, key),
  };
}

/** Negative where more seats are taken than there are: none is left. */
function countOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return null;
  return Math.min(mostSeats, Math.max(0, number));
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, or seconds since 1970, as some answers have it. */
function expiryOf(value: unknown): string | null {
  const seconds = typeof value === 'string' && /^\d{9,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds === 'number') {
    const isTime = Number.isInteger(seconds) && seconds >= earliestSeconds && seconds <= latestSeconds;
    return isTime ? new Date(seconds * 1000).toISOString() : null;
  }
  const found = typeof value === 'string' ? moment.exec(value) : null;
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // "30 February" would be the 2nd of March.
  const isReal =
    year >= 1970 && date.toISOString().slice(0, 19) === `${found[0].slice(0, 10)}T${found[0].slice(11, 19)}`;
  return isReal ? date.toISOString() : null;
}
