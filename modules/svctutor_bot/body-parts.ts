import { fail, invalidParams } from '@lyceum/core';

type Body = Readonly<Record<string, unknown>>;

/** Refuses a body in which any of these is missing. */
export function needAll(body: Body, names: readonly string[]): void {
  const missing = names.filter((name) => body[name] === undefined);
  if (missing.length === 0) return;
  fail('rest_missing_callback_param', {
    message: `Missing parameter(s): ${missing.join(', ')}`,
    data: { params: missing },
  });
}

export function integerIn(body: Body, name: string): number {
  needAll(body, [name]);
  const value = body[name];
  return Number.isSafeInteger(value) ? Number(value) : invalidParams({ [name]: 'must be an integer' });
}

/** Texts of some characters that a database takes. */
export function textIn(body: Body, name: string, most: number): string {
  needAll(body, [name]);
  const value = body[name];
  const fits =
    typeof value === 'string' &&
    value.length >= 1 &&
    value.length <= most &&
    !value.includes('\0') &&
    value.isWellFormed();
  return fits ? value : invalidParams({ [name]: `must be a text of 1 to ${most} characters` });
}
