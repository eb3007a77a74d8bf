import { audit, callerOf, Database, defineOperation, fail, id, yup } from '@lyceum/core';
import { LinkRecord, linkExample } from '../link.ts';
import { LinkStore } from '../link-store.ts';

export const revokeLink = defineOperation({
  id: 'magic_links.revoke-link',
  method: 'DELETE',
  path: 'svc/magic-links/v1/links/{id}',
  summary: 'Revoke a link that was not used yet',
  description:
    'With `promote_users`, or a link that signs in oneself. A link that was revoked before is answered alike.',
  access: { can: 'read' },
  input: { params: yup.object({ id: id().required() }) },
  output: LinkRecord,
  errors: ['magic_links_not_found', 'magic_links_not_live'],
  example: { answer: { ...linkExample, status: 'revoked' } },
  handle: ({ params }, call) =>
    call.get(Database).transaction(async (trx) => {
      const links = call.get(LinkStore);
      const link = await links.lock(trx, call.site.blog_id, params.id);
      const own = link?.user_id === callerOf(call).id;
      if (!link || !(own || call.can('promote_users'))) return fail('magic_links_not_found');
      if (link.status === 'revoked') return link;
      if (link.status !== 'live' && link.status !== 'pending') fail('magic_links_not_live');
      await links.revoke(trx, link.id);
      await audit(trx, call, {
        module: 'magic_links',
        action: 'magic_links.revoke',
        subject: `link:${link.id}`,
        from: { status: link.status },
        to: { user_id: link.user_id, status: 'revoked' },
      });
      return { ...link, status: 'revoked' };
    }),
});
