import { asSent, defineOperation, fail, judged, SignedIn, signedIn, yup } from '@lyceum/core';
import { Guesses } from '../guesses.ts';
import { Logins } from '../logins.ts';
import { requireSsl } from '../require-ssl.ts';

const isGiven = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** People write a code in groups. */
function readPin(text: string): string | null {
  const digits = text.replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}

export const verifyPin = defineOperation({
  id: 'passwordless.verify-pin',
  method: 'POST',
  path: 'svc/passwordless/v1/verify',
  summary: 'Sign in by a one-time code',
  description:
    'Begins a cookie session; one whose cookie came with the request ends. `redirect` comes back as an absolute URL when it leads to this site, and is left out otherwise.',
  access: { public: 'it is how one comes in' },
  contract: true,
  input: {
    body: yup.object({
      login: judged({ type: 'string', minLength: 1 }, { required: true }),
      pin: judged({ type: 'string', minLength: 1 }, { required: true }),
      redirect: asSent({ type: 'string' }),
    }),
  },
  output: SignedIn,
  errors: [
    'svcplatform_pin_ssl',
    'svcplatform_pin_missing',
    'svcplatform_pin_lock',
    'svcplatform_pin_invalid',
  ],
  example: {
    body: { login: 'ann', pin: '123 456', redirect: '/courses/' },
    answer: {
      user: { id: 5, displayName: 'Ann', email: 'ann@example.org', nicename: 'ann' },
      nonce: 'qkPvGf0a3mQ2x1Wb7Zc9dE4fH6j',
      redirect: 'https://school.example/courses/',
    },
  },
  handle: async ({ body: { login, pin, redirect } }, call) => {
    requireSsl(call);
    if (!isGiven(login) || !isGiven(pin)) {
      const params = Object.entries({ login, pin }).flatMap(([name, value]) =>
        isGiven(value) ? [] : [name],
      );
      return fail('svcplatform_pin_missing', { data: { params } });
    }
    const guess = {
      login: await call.get(Logins).read(login, call.currentSite),
      pin: readPin(pin),
      redirect,
    };
    const outcome = await call.get(Guesses).take(call, guess);
    if ('signIn' in outcome) return signedIn(outcome.signIn);
    return fail('svcplatform_pin_invalid', { data: { attempts_left: outcome.attemptsLeft } });
  },
});
