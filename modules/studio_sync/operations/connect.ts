import { defineOperation, reply, word, yup } from '@lyceum/core';
import { Account, accountExample, accountOf } from '../account.ts';
import { Connecting } from '../connecting.ts';
import { exampleId } from '../connection.ts';
import { namespace, SiteRow, siteExample, siteRow } from '../site-row.ts';

const isSaid = (text: string | undefined): boolean => text === undefined || text.trim() !== '';

export const connect = defineOperation({
  id: 'studio_sync.connect',
  method: 'POST',
  path: `${namespace}/desktop/connect`,
  summary: 'Connect a desktop studio by a one-time token',
  description:
    'On the site where the token was made. The access token is in this answer and nowhere else; it acts as the user who made the connect token, on every site of the network.',
  access: { public: 'the token in the body proves who asks' },
  contract: true,
  input: {
    body: yup.object({
      token: yup.string().required(),
      device_name: yup.string().required().max(100).test('said', 'must not be empty', isSaid),
      platform: yup.string().max(50),
      app_version: yup.string().max(50),
    }),
  },
  badInput: 'studio_sync_bad_connect_request',
  output: yup.object({
    success: yup.boolean().required(),
    connection_id: yup.string().required(),
    access_token: yup.string().required(),
    token_type: word('Bearer').required(),
    status: word('connected').required(),
    user: Account.required(),
    site: SiteRow.required(),
  }),
  errors: [
    'studio_sync_invalid_connect_token',
    'studio_sync_insufficient_permissions',
    'studio_sync_too_many_connections',
    'rest_too_many_requests',
  ],
  example: {
    body: {
      token: 'sct_x0Kq4u9w7f2Yb1s8Qd3n6Jt5Lz0Vh4Rc2Pg7Ma9Ee1I',
      device_name: "Ann's laptop",
      platform: 'linux',
      app_version: '2.4.0',
    },
    answer: {
      success: true,
      connection_id: exampleId,
      access_token: 'sst_Wv3Zk8q1Lr6Tj0Ys5Nb9Cf2Hx7Ud4Gp8Ma1Ei6Ko3Q',
      token_type: 'Bearer',
      status: 'connected',
      user: accountExample,
      site: siteExample,
    },
  },
  handle: async ({ body }, call) => {
    const { token, device_name, platform = null, app_version = null } = body;
    const device = { device_name, platform, app_version };
    const { connection, user, accessToken } = await call.get(Connecting).connect(call, token, device);
    const answer = {
      success: true,
      connection_id: connection.connection_id,
      access_token: accessToken,
      token_type: 'Bearer',
      status: connection.status,
      user: accountOf(user),
      site: siteRow(call, call.site),
    };
    return reply(answer, { headers: { 'Cache-Control': 'no-store' } });
  },
});
