import type { Knex } from 'knex';
import { type Answer, type AnswerCookie, reply } from '../api/answers.ts';
import type { Call } from '../api/call.ts';
import { yup } from '../api/schema.ts';
import { Sessions } from './sessions.ts';
import type { User } from './user.ts';

/** Who signed in without a password, with a nonce of the new session. `redirect` is absolute, and often absent. */
export const SignedIn = yup.object({
  user: yup
    .object({
      id: yup.number().integer().required(),
      displayName: yup.string().defined(),
      email: yup.string().defined(),
      nicename: yup.string().defined(),
    })
    .nullable()
    .defined(),
  nonce: yup.string().required(),
  redirect: yup.string().optional(),
});

/** What came of signing somebody in. */
export interface SignIn {
  readonly user: User;
  readonly nonce: string;
  readonly cookie: AnswerCookie;
  /** An absolute URL of the site, or null. */
  readonly redirect: string | null;
}

/** Begins an ordinary session of the user; one whose cookie came with the request ends. */
export async function signIn(
  trx: Knex.Transaction,
  call: Call,
  user: User,
  redirect: string | null,
): Promise<SignIn> {
  const { cookie, nonce } = await call.get(Sessions).begin(trx, call, user.id, false);
  return { user, nonce, cookie, redirect };
}

/** The answer of an operation that signed somebody in: cookie, nonce, and nothing for a cache. */
export function signedIn({ user, nonce, cookie, redirect }: SignIn): Answer {
  const { id, display_name: displayName, email, nicename } = user;
  const data = {
    user: { id, displayName, email, nicename },
    nonce,
    ...(redirect === null ? {} : { redirect }),
  };
  return reply(data, { cookies: [cookie], headers: { 'Cache-Control': 'no-store', 'X-Svc-Nonce': nonce } });
}
