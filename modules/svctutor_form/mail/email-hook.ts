import { isPlainObject } from '@lyceum/core';
import { readObject } from '../form/form-json.ts';

/** Who is mailed about new entries of a form, and whether the answers go along. */
export interface EmailHook {
  readonly recipient: string;
  readonly includeFields: boolean;
}

const longestAddress = 254;
const addressForm = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/;

/** The hook of a form, from its stored text; null while it is off, or names no single address. */
export function emailHookOf(hooks: string): EmailHook | null {
  const email = readObject(hooks)?.email;
  if (!isPlainObject(email) || email.enabled !== true) return null;
  const { recipient, includeFields } = email;
  if (typeof recipient !== 'string') return null;
  const address = recipient.trim();
  if (address.length > longestAddress || !addressForm.test(address)) return null;
  return { recipient: address, includeFields: includeFields === true };
}
