import { callerOf, defineOperation, reply, Sessions } from '@lyceum/core';
import { SessionRecord, unkept } from './session-record.ts';

export const getSession = defineOperation({
  id: 'host.get-session',
  method: 'GET',
  path: 'svc/host/v1/session',
  summary: 'Who is signed in, with a fresh nonce',
  access: { signedIn: true, withoutNonce: 'a page that was just opened gets its first nonce here' },
  output: SessionRecord,
  handle: (_input, call) =>
    reply({ user: callerOf(call), nonce: call.get(Sessions).nonce(call) }, { headers: unkept }),
});
