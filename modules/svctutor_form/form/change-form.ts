import { type Call, Database, fail, type PostFields, Posts } from '@lyceum/core';
import { editable, findErrors, lockForm } from './find-form.ts';
import { tokenOf } from './form.ts';

/** Which form a client changes, and what it thinks of it. */
export interface FormClaim {
  readonly id: number;
  readonly token: string;
}

/** Codes of a change, whatever the part. */
export const changeErrors = [...findErrors, 'invalid_permissions', 'empty_token', 'invalid_token'] as const;

/**
 * Writes parts of a form for a caller who knows it as it is, and answers with its new token. The row is locked from
 * before the comparison until after the write: of many writes with one token the first one wins.
 * @param read what is to be written; it throws when the client's part is none
 */
export function changeForm(
  call: Call,
  { id, token }: FormClaim,
  read: () => Pick<PostFields, 'title' | 'content' | 'moduleMeta'>,
): Promise<{ readonly token: string }> {
  return call.get(Database).transaction(async (trx) => {
    const form = editable(call, await lockForm(trx, call, id));
    if (token === '' || token === '0') fail('empty_token');
    const fields = read();
    const current = tokenOf(form);
    if (token !== current) refuseToken(current, token);
    const posts = call.get(Posts);
    const written = await posts.update(trx, call, form, fields);
    // What equals the stored text was written all the same.
    return { token: tokenOf(written === form ? await posts.touch(trx, form) : written) };
  });
}

function refuseToken(current: string, sent: string): never {
  return fail('invalid_token', {
    message: `Invalid token. Generated: ${current}, expected: ${sent}`,
    data: { token: current },
  });
}
