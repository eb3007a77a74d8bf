import {
  Addresses,
  audit,
  callerOf,
  created,
  Database,
  defineOperation,
  id,
  Mail,
  Sites,
  yup,
} from '@lyceum/core';
import { Site, siteFields, siteTitle } from '../../site-fields.ts';
import { showOne } from './show-one.ts';

const path = 'svc/site-manager/v1/sites';

export const createSite = defineOperation({
  id: 'site_manager.create-site',
  method: 'POST',
  path,
  summary: 'Create a site in the network',
  description:
    'The slug is sanitized and never numbered. The site gets its administrator, the first post and the mail that the network has set.',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    body: yup.object({
      title: siteTitle().required(),
      slug: yup.string().defined(),
      user_id: id(),
      ...siteFields,
    }),
  },
  success: 201,
  output: Site,
  errors: ['site_slug_invalid', 'site_exists', 'user_not_found', 'term_not_found'],
  example: { body: { title: 'Laboratory', slug: 'lab', public: 1 } },
  handle: async ({ body }, call) => {
    const { network_id } = call.site;
    const wish = {
      network_id,
      slug: body.slug,
      reserved: call.setting<string[]>('reserved_slugs'),
      title: body.title,
      description: body.description ?? '',
      public: body.public ?? call.setting<number>('default_public'),
      status_id: body.status_id ?? null,
      category_ids: body.category_ids ?? [],
      user_id: body.user_id ?? callerOf(call).id,
      is_template: body.is_template ?? false,
    };
    const { site, welcome } = await call.get(Database).transaction(async (trx) => {
      const made = await call.get(Sites).create(trx, call, wish);
      const { blog_id, title, domain, path } = made.site;
      await audit(trx, call, {
        module: 'site_manager',
        action: 'site.create',
        subject: `site:${blog_id}`,
        blogId: blog_id,
        to: { title, domain, path, user_id: wish.user_id },
      });
      return made;
    });
    if (welcome) await call.get(Mail).send(welcome);
    const location = call.get(Addresses).route(call.currentSite, `${path}/${site.blog_id}`);
    return created(await showOne(call, site, false), location);
  },
});
