import {
  Addresses,
  accepted,
  type Call,
  callerOf,
  copyFlagFields,
  Database,
  defineOperation,
  fail,
  flag,
  id,
  idText,
  JobRecord,
  list,
  maxId,
  presentJob,
  readId,
  SiteCopies,
  Sites,
  Users,
  yup,
} from '@lyceum/core';
import { reservedSlugs } from '../reserved-slugs.ts';

const jobs = 'svc/site-duplicator/v1/jobs';

/** A reference that is answered with 404, whatever number it is. */
const anyId = () => yup.number().integer();

const isId = (value: number): boolean => value >= 1 && value <= maxId;

/** Nobody is made administrator whom only other networks know. */
async function refuseStranger(call: Call, userId: number): Promise<void> {
  const { knex } = call.get(Database);
  const isKnown =
    isId(userId) &&
    (await call.get(Users).mayBePlaced(knex, call.site.network_id, userId, callerOf(call).id));
  if (!isKnown) fail('user_not_found', { data: { params: ['user_id'] } });
}

export const duplicateSite = defineOperation({
  id: 'site_duplicator.duplicate-site',
  method: 'POST',
  path: 'svc/site-duplicator/v1/sites/{blog_id}/duplicate',
  summary: 'Make a new site as a copy of this one, as a job',
  description:
    'The slug is reserved at once; the copy is there when the job is completed. What is absent is as in the source.',
  access: { canAny: ['manage_network', 'create_sites'] },
  contract: true,
  input: {
    params: yup.object({ blog_id: idText() }),
    body: yup.object({
      slug: yup.string().defined(),
      title: yup.string().min(1).max(200),
      description: yup.string().max(1000),
      public: flag(),
      status_id: id().nullable(),
      category_ids: list(id().required(), 50),
      user_id: anyId(),
      is_template: yup.boolean(),
      ...copyFlagFields,
    }),
  },
  success: 202,
  output: JobRecord,
  errors: [
    'site_not_found',
    'site_not_in_network',
    'site_slug_invalid',
    'site_exists',
    'user_not_found',
    'term_not_found',
  ],
  example: { body: { slug: 'lab-b', title: 'Laboratory B', copy_users: false } },
  handle: async ({ params, body }, call) => {
    const source = await call.get(Sites).get(call.site.network_id, readId(params.blog_id));
    if (!source.is_template && !call.can('manage_network')) fail('rest_forbidden');
    if (body.user_id !== undefined) await refuseStranger(call, body.user_id);
    const copies = call.get(SiteCopies);
    const job = await call.get(Database).transaction((trx) =>
      copies.begin(
        trx,
        call,
        { ...body, source_blog_id: source.blog_id },
        {
          type: 'site_duplicator.duplicate',
          reserved: reservedSlugs(call),
          shows: 'effective',
          rules: 'site_duplicator',
        },
      ),
    );
    return accepted(presentJob(job), call.get(Addresses).route(call.currentSite, `${jobs}/${job.job_id}`));
  },
});
