import {
  Addresses,
  accepted,
  audit,
  type Call,
  type CopyWish,
  callerOf,
  copyFlagFields,
  created,
  Database,
  defineOperation,
  either,
  fail,
  id,
  JobRecord,
  presentJob,
  SiteCopies,
  Sites,
  Users,
  yup,
} from '@lyceum/core';
import { createFromSource } from '../../jobs/create-from-source.ts';
import { Site, siteFields, siteTitle } from '../../site-fields.ts';
import { showOne } from './show-one.ts';

const path = 'svc/site-manager/v1/sites';

/** Nobody is made administrator, and shown with his e-mail, whom only other networks know. */
async function refuseStranger(call: Call, userId: number): Promise<void> {
  const { knex } = call.get(Database);
  const may = await call.get(Users).mayBePlaced(knex, call.site.network_id, userId, callerOf(call).id);
  if (!may) fail('user_not_found', { data: { params: ['user_id'] } });
}

/** Reserves the address and enqueues the job that makes the copy. */
async function beginCopy(call: Call, wish: CopyWish) {
  await call.get(Sites).get(call.site.network_id, wish.source_blog_id);
  const reserved = call.setting<string[]>('reserved_slugs');
  const how = { type: createFromSource.id, reserved, shows: 'given', rules: 'site_duplicator' } as const;
  const copies = call.get(SiteCopies);
  const row = await call.get(Database).transaction((trx) => copies.begin(trx, call, wish, how));
  const route = `svc/site-manager/v1/jobs/${row.job_id}`;
  return accepted(presentJob(row), call.get(Addresses).route(call.currentSite, route));
}

export const createSite = defineOperation({
  id: 'site_manager.create-site',
  method: 'POST',
  path,
  summary: 'Create a site in the network',
  description:
    'The slug is sanitized and never numbered. The site gets its administrator, the first post and the mail that the network has set. With `source_blog_id` it becomes a copy of that site, by a job: 202 with the job.',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    body: yup.object({
      title: siteTitle().required(),
      slug: yup.string().defined(),
      user_id: id(),
      ...siteFields,
      source_blog_id: id(),
      ...copyFlagFields,
    }),
  },
  success: 201,
  output: either(Site, JobRecord),
  errors: [
    'site_slug_invalid',
    'site_exists',
    'site_not_found',
    'site_not_in_network',
    'user_not_found',
    'term_not_found',
  ],
  example: { body: { title: 'Laboratory', slug: 'lab', public: 1 } },
  handle: async ({ body }, call) => {
    const { network_id } = call.site;
    if (body.user_id !== undefined) await refuseStranger(call, body.user_id);
    const { source_blog_id } = body;
    if (source_blog_id !== undefined) return beginCopy(call, { ...body, source_blog_id });
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
    const site = await call.get(Database).transaction(async (trx) => {
      const made = await call.get(Sites).create(trx, call, wish);
      const { blog_id, title, domain, path } = made;
      await audit(trx, call, {
        module: 'site_manager',
        action: 'site.create',
        subject: `site:${blog_id}`,
        blogId: blog_id,
        to: { title, domain, path, user_id: wish.user_id },
      });
      return made;
    });
    const location = call.get(Addresses).route(call.currentSite, `${path}/${site.blog_id}`);
    return created(await showOne(call, site, false), location);
  },
});
