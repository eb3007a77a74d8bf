import { defineOperation, id, SiteAddresses, Sites, word, yup } from '@lyceum/core';

export const checkSlug = defineOperation({
  id: 'site_manager.check-slug',
  method: 'GET',
  path: 'svc/site-manager/v1/sites/slug-availability',
  summary: 'Whether a slug could be taken now; reserves nothing',
  access: { can: 'manage_network' },
  contract: true,
  input: { query: yup.object({ slug: yup.string().defined(), blog_id: id() }) },
  output: yup.object({
    slug: yup.string().defined(),
    available: yup.boolean().required(),
    reason: word('empty', 'too_long', 'reserved', 'taken').nullable().defined(),
    domain: yup.string().required(),
    path: yup.string().required(),
    suggestion: yup.string().nullable().defined(),
  }),
  handle: async ({ query }, call) => {
    const network = await call.get(Sites).networkPlace(call.site.network_id);
    const further = call.setting<string[]>('reserved_slugs');
    const answer = await call.get(SiteAddresses).answer(network, query.slug, further, query.blog_id ?? null);
    return { ...answer, available: answer.reason === null };
  },
});
