import { moment } from '@lyceum/core';

const form = moment();

/** A time as in RFC 3339; undefined for anything else. */
export function readMoment(value: unknown): Date | undefined {
  return typeof value === 'string' && form.isValidSync(value, { strict: true }) ? new Date(value) : undefined;
}
