import { asSent, type Call, defineOperation, fail, SignedIn, signedIn, yup } from '@lyceum/core';
import { Consumption } from '../consumption.ts';

const notEmpty = (value: string | undefined): boolean => value === undefined || value.trim() !== '';

/** Relatives of JSON are taken elsewhere; here nothing that a page could come to send without asking first. */
function requireJson(call: Call): void {
  const [type = ''] = call.header('content-type').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json') fail('rest_unsupported_media_type');
}

export const consumeLink = defineOperation({
  id: 'magic_links.consume-link',
  method: 'POST',
  path: 'svc/magic-links/v1/consume',
  summary: 'Sign in by the token of a link',
  description:
    'Begins a cookie session; one whose cookie came with the request ends. A token is good once, on the site where it was made. `redirect` comes back when it, or else the one that the link was made with, leads to this site.',
  access: { public: 'it is how one comes in' },
  contract: true,
  input: {
    body: yup.object({
      token: yup.string().defined().test('empty', 'must not be empty', notEmpty),
      redirect: asSent({ type: 'string' }),
    }),
  },
  output: SignedIn,
  errors: ['magic_links_ssl', 'magic_links_invalid', 'rest_too_many_requests', 'rest_unsupported_media_type'],
  example: {
    body: { token: 'ml_x0Kq4u9w7f2Yb1s8Qd3n6Jt5Lz0Vh4Rc2Pg7Ma9Ee1I' },
    answer: {
      user: { id: 5, displayName: 'Ann', email: 'ann@example.org', nicename: 'ann' },
      nonce: 'qkPvGf0a3mQ2x1Wb7Zc9dE4fH6j',
    },
  },
  handle: async ({ body }, call) => {
    requireJson(call);
    return signedIn(await call.get(Consumption).take(call, body.token, body.redirect));
  },
});
