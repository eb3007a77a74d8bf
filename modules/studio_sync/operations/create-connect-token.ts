import { Addresses, audit, callerOf, Database, defineOperation, reply, time, Users, yup } from '@lyceum/core';
import { ConnectTokenStore } from '../connect-token-store.ts';
import { namespace } from '../site-row.ts';
import { drawToken, hashToken } from '../token.ts';

/** Tokens of one user that may be live at a time. */
const mostLive = 10;

export const createConnectToken = defineOperation({
  id: 'studio_sync.create-connect-token',
  method: 'POST',
  path: `${namespace}/desktop/connect-tokens`,
  summary: 'Make a token that connects a desktop studio once',
  description:
    'The token is in this answer and nowhere else. Of more than ten live ones of a user the oldest is dropped.',
  access: { can: 'edit_pages' },
  input: { body: yup.object({ label: yup.string().max(100) }) },
  success: 201,
  output: yup.object({
    token: yup.string().required(),
    expires_at: time().required(),
    connect_url: yup.string().required(),
    blog_id: yup.number().integer().required(),
  }),
  example: {
    body: { label: 'Laptop' },
    answer: {
      token: 'sct_x0Kq4u9w7f2Yb1s8Qd3n6Jt5Lz0Vh4Rc2Pg7Ma9Ee1I',
      expires_at: '2026-05-04T08:10:00.000Z',
      connect_url: 'https://lyceum.example/api/svc/studio-sync/v1/desktop/connect',
      blog_id: 1,
    },
  },
  handle: async ({ body }, call) => {
    const { blog_id } = call.site;
    const user_id = callerOf(call).id;
    const token = drawToken('connect');
    const lifetime = call.setting<number>('connect_token_ttl');
    const label = body.label ?? null;
    const expires_at = await call.get(Database).transaction(async (trx) => {
      const tokens = call.get(ConnectTokenStore);
      await call.get(Users).lock(trx, [user_id]);
      await tokens.dropOldest(trx, user_id, mostLive - 1);
      const made = { token_hash: hashToken('connect', token), blog_id, user_id, label, lifetime };
      const until = await tokens.insert(trx, made);
      await audit(trx, call, {
        module: 'studio_sync',
        action: 'studio_sync.connect_token',
        subject: `user:${user_id}`,
        to: { user_id, label, expires_at: until },
      });
      return until;
    });
    const connect_url = call.get(Addresses).route(call.site, `${namespace}/desktop/connect`);
    const headers = { 'Cache-Control': 'no-store' };
    return reply({ token, expires_at, connect_url, blog_id }, { headers });
  },
});
