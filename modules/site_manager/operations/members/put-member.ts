import {
  Addresses,
  audit,
  type Call,
  callerOf,
  created,
  Database,
  defineOperation,
  existing,
  fail,
  id,
  invalidParams,
  type Role,
  readId,
  Sites,
  Users,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { MemberRecord, role } from '../../member-fields.ts';
import { type Member, MemberStore, type UserName } from '../../member-store.ts';
import { siteParams } from '../../site-fields.ts';

const path = 'svc/site-manager/v1/sites/{blog_id}/users';

interface Named {
  readonly user_id?: number | undefined;
  readonly login?: string | undefined;
  readonly email?: string | undefined;
}

/** @throws `rest_invalid_param` unless exactly one name is given */
function nameIn({ user_id, login, email }: Named): UserName {
  const names: UserName[] = [];
  if (user_id !== undefined) names.push({ user_id });
  if (login !== undefined) names.push({ login });
  if (email !== undefined) names.push({ email });
  const [name] = names;
  if (name && names.length === 1) return name;
  const message = 'must be given alone: exactly one of user_id, login and email';
  const params = names.length === 0 ? ['user_id'] : names.flatMap(Object.keys);
  return invalidParams(Object.fromEntries(params.map((param) => [param, message])));
}

/** What became of a request: the member, and whether he is a new one. */
interface Put {
  readonly member: Member;
  readonly isNew: boolean;
}

/** Who knows somebody's e-mail may invite him; by id or login only those are named whom the network knows. */
async function mayPlace(call: Call, trx: Knex.Transaction, userId: number, name: UserName): Promise<boolean> {
  const { network_id } = call.site;
  return 'email' in name || call.get(Users).mayBePlaced(trx, network_id, userId, callerOf(call).id);
}

async function put(call: Call, blogId: number, name: UserName, role: Role): Promise<Put> {
  const store = call.get(MemberStore);
  const unknown = (): never => fail('user_not_found', { data: { params: Object.keys(name) } });
  return call.get(Database).transaction(async (trx) => {
    const userId = (await store.userId(trx, name)) ?? unknown();
    if (!(await mayPlace(call, trx, userId, name))) unknown();
    const before = await store.put(trx, blogId, userId, role);
    if (before === undefined) unknown();
    if (before !== role) {
      const action = before === null ? 'site.user_add' : 'site.user_role';
      const entry = { module: 'site_manager', action, subject: `user:${userId}`, blogId };
      await audit(trx, call, { ...entry, from: before === null ? null : { role: before }, to: { role } });
    }
    return { member: (await store.find(trx, blogId, userId)) ?? unknown(), isNew: before === null };
  });
}

export const putMember = defineOperation({
  id: 'site_manager.put-member',
  method: 'POST',
  path,
  summary: 'Put a user on a site, or change the role of one who is there',
  description:
    'Exactly one of `user_id`, `login` and `email` names the user. A member whose role changed answers 200.',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    params: siteParams(),
    body: yup.object({
      user_id: id(),
      login: yup.string().min(1).max(254),
      email: yup.string().min(1).max(254),
      role: role().default('subscriber'),
    }),
  },
  success: 201,
  output: MemberRecord,
  errors: ['site_not_found', 'site_not_in_network', 'user_not_found'],
  example: { body: { email: 'teacher@example.org', role: 'editor' } },
  handle: async ({ params, body }, call) => {
    const { blog_id } = await call.get(Sites).get(call.site.network_id, readId(params.blog_id));
    const { member, isNew } = await put(call, blog_id, nameIn(body), body.role);
    const route = `${path.replace('{blog_id}', String(blog_id))}/${member.id}`;
    return isNew ? created(member, call.get(Addresses).route(call.currentSite, route)) : existing(member);
  },
});
