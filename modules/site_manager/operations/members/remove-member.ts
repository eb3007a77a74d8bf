import {
  audit,
  Database,
  defineOperation,
  fail,
  id,
  idText,
  invalidParams,
  readId,
  Sites,
  yup,
} from '@lyceum/core';
import { MemberStore } from '../../member-store.ts';

export const removeMember = defineOperation({
  id: 'site_manager.remove-member',
  method: 'DELETE',
  path: 'svc/site-manager/v1/sites/{blog_id}/users/{user_id}',
  summary: 'Take a user off a site; `reassign` gives his posts there to another member',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    params: yup.object({ blog_id: idText(), user_id: idText() }),
    query: yup.object({ reassign: id() }),
    body: yup.object({ reassign: id() }),
  },
  output: yup.object({
    deleted: yup.boolean().required(),
    blog_id: yup.number().integer().required(),
    user_id: yup.number().integer().required(),
  }),
  errors: ['site_not_found', 'site_not_in_network', 'user_not_found'],
  handle: async ({ params, query, body }, call) => {
    const { blog_id } = await call.get(Sites).get(call.site.network_id, readId(params.blog_id));
    const user_id = readId(params.user_id) ?? fail('user_not_found');
    const reassign = query.reassign ?? body.reassign;
    if (reassign === user_id) invalidParams({ reassign: 'must be another user' });
    const store = call.get(MemberStore);
    await call.get(Database).transaction(async (trx) => {
      const role = (await store.remove(trx, blog_id, user_id)) ?? fail('user_not_found');
      if (reassign !== undefined) {
        const heir = await store.find(trx, blog_id, reassign);
        if (!heir) fail('user_not_found', { data: { params: ['reassign'] } });
        await store.giveAway(trx, blog_id, user_id, reassign);
      }
      const entry = { module: 'site_manager', action: 'site.user_remove', subject: `user:${user_id}` };
      const to = reassign === undefined ? null : { reassign };
      await audit(trx, call, { ...entry, blogId: blog_id, from: { role }, to });
    });
    return { deleted: true, blog_id, user_id };
  },
});
