import {
  addressBlock,
  type Call,
  defineOperation,
  fail,
  invalidParams,
  judged,
  type RateLimit,
  RateLimits,
  reply,
  yup,
} from '@lyceum/core';
import { Logins } from '../logins.ts';
import { PinRequests } from '../pin-requests.ts';
import { requireSsl } from '../require-ssl.ts';

const longestLogin = 254;
const longestRedirect = 2_000;

const perAddress: RateLimit = { name: 'pin-request-address', points: 30, seconds: 3_600 };

/** Checked after the connection: whoever must not send a login in clear is told that, and nothing else. */
function readLogin({ login, redirect }: { readonly login?: unknown; readonly redirect?: unknown }): string {
  if (login === undefined) {
    fail('rest_missing_callback_param', {
      message: 'Missing parameter(s): login',
      data: { params: ['login'] },
    });
  }
  if (typeof login !== 'string') return invalidParams({ login: 'must be a text' });
  if (login.trim() === '') invalidParams({ login: 'must not be empty' });
  if (login.length > longestLogin) invalidParams({ login: `must have at most ${longestLogin} characters` });
  const fits = redirect === undefined || (typeof redirect === 'string' && redirect.length <= longestRedirect);
  if (!fits) invalidParams({ redirect: `must be a text of at most ${longestRedirect} characters` });
  return login;
}

async function take(call: Call, typed: string): Promise<void> {
  const login = await call.get(Logins).read(typed, call.currentSite);
  await call.get(PinRequests).refuseLocked(login);
  await call.get(RateLimits).count(perAddress, addressBlock(call.ip, 32));
  await call.get(PinRequests).take(call, login);
}

export const requestPin = defineOperation({
  id: 'passwordless.request-pin',
  method: 'POST',
  path: 'svc/passwordless/v1/request',
  summary: 'Ask for a one-time code by mail',
  description:
    'The answer is the same for every login, known or not. The mail goes to the stored address of a member of the site; a new code replaces the ones before it.',
  access: { public: 'it is how one comes in' },
  contract: true,
  input: {
    body: yup.object({
      login: judged({ type: 'string', minLength: 1, maxLength: longestLogin }, { required: true }),
      redirect: judged({ type: 'string', maxLength: longestRedirect }, { required: false }),
    }),
  },
  output: yup.object({
    sent: yup.boolean().required(),
    expires_in: yup.number().integer().required(),
    message: yup.string().required(),
  }),
  errors: [
    'svcplatform_pin_ssl',
    'svcplatform_pin_lock',
    'rest_missing_callback_param',
    'rest_invalid_param',
    'rest_too_many_requests',
  ],
  example: {
    body: { login: 'ann' },
    answer: {
      sent: true,
      expires_in: 600,
      message: 'If this login may sign in here, a code is on its way to its e-mail address.',
    },
  },
  handle: async ({ body }, call) => {
    requireSsl(call);
    await take(call, readLogin(body));
    return reply(
      {
        sent: true,
        expires_in: call.setting<number>('pin_ttl'),
        message: 'If this login may sign in here, a code is on its way to its e-mail address.',
      },
      { headers: { 'Cache-Control': 'no-store' } },
    );
  },
});
