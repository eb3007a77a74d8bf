import {
  type Call,
  callerOf,
  Database,
  defineOperation,
  Networks,
  reply,
  Sessions,
  time,
  word,
  yup,
} from '@lyceum/core';
import { agentOf, type Identifier } from '../actor/agent.ts';
import { unkept } from './unkept.ts';

const ActorSession = yup.object({
  actor: yup
    .object({
      objectType: word('Agent').required(),
      name: yup.string(),
      mbox: yup.string(),
      mbox_sha1sum: yup.string(),
      account: yup
        .object({ homePage: yup.string().required(), name: yup.string().required() })
        .optional()
        .default(undefined),
    })
    .required(),
  session: yup
    .object({
      user_id: yup.number().integer().required(),
      blog_id: yup.number().integer().required(),
      expires_at: time().nullable().defined(),
    })
    .required(),
  xapi_version: yup.string().required(),
});

export const createActorSession = defineOperation({
  id: 'turbo.create-actor-session',
  method: 'POST',
  path: 'svclms/turbo/v1/xapi-actor/session',
  summary: 'Who the visitor is in xAPI statements',
  access: { signedIn: true },
  contract: true,
  output: ActorSession,
  errors: ['turbo_no_email'],
  handle: async (_input, call) => {
    const user = callerOf(call);
    const identifier = call.setting<Identifier>('xapi_actor_ifi');
    const actor = agentOf(user, {
      identifier,
      named: call.setting<boolean>('xapi_actor_name'),
      homePage: identifier === 'account' ? await homePage(call) : '',
    });
    const expires_at = await call.get(Sessions).expiresAt(call.get(Database).knex, call);
    const session = { user_id: user.id, blog_id: call.site.blog_id, expires_at };
    return reply({ actor, session, xapi_version: '1.0.3' }, { headers: unkept });
  },
});

/** Accounts are those of a network: they are the same on each of its sites. */
const homePage = async (call: Call): Promise<string> =>
  call.site.is_main_site ? call.site.url : call.get(Networks).mainUrl(call.site.network_id);
