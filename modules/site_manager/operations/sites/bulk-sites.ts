import {
  Addresses,
  accepted,
  callerOf,
  Database,
  defineOperation,
  fail,
  flag,
  id,
  invalidParams,
  JobRecord,
  Jobs,
  list,
  presentJob,
  type SiteChange,
  word,
  yup,
} from '@lyceum/core';
import { bulk, bulkActions } from '../../jobs/bulk.ts';
import { siteFields } from '../../site-fields.ts';
import { workOf } from '../../site-work.ts';

const mostSites = 500;

/** A field of the single route that makes no sense for many sites. */
const notForMany = () =>
  yup
    .mixed()
    .nullable()
    .test('absent', 'cannot be changed for many sites', (value) => value === undefined)
    .meta({ jsonSchema: { not: {} } });

const { description: _one, ...shared } = siteFields;

const patch = yup
  .object({
    archived: flag(),
    deleted: flag(),
    spam: flag(),
    mature: flag(),
    ...shared,
    title: notForMany(),
    slug: notForMany(),
    description: notForMany(),
  })
  .default(undefined);

export const bulkSites = defineOperation({
  id: 'site_manager.bulk-sites',
  method: 'POST',
  path: 'svc/site-manager/v1/sites/bulk',
  summary: 'Act on many sites, as a job with a result for each',
  description: 'Sites are done in the given order, each under the rules of its single route.',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    body: yup.object({
      blog_ids: list(id().required(), mostSites)
        .min(1)
        .required()
        .test('distinct', 'must not name a site twice', (ids) => new Set(ids).size === (ids ?? []).length),
      action: word(...bulkActions).required(),
      patch,
      drop_tables: yup.boolean(),
    }),
  },
  success: 202,
  output: JobRecord,
  example: { body: { blog_ids: [2, 3], action: 'update', patch: { mature: 1 } } },
  handle: async ({ body }, call) => {
    const { blog_ids, action } = body;
    const update = action === 'update' ? { patch: changesIn(body.patch) } : {};
    const removal = action === 'delete' ? { drop_tables: body.drop_tables ?? true } : {};
    const payload = { blog_ids, action, ...update, ...removal };
    const { main } = await workOf(call);
    const job = { type: bulk.id, payload, site: main, userId: callerOf(call).id, startAfterSeconds: 0 };
    const row = await call.get(Database).transaction((trx) => call.get(Jobs).enqueue(trx, job));
    const route = `svc/site-manager/v1/jobs/${row.job_id}`;
    return accepted(presentJob(row), call.get(Addresses).route(call.currentSite, route));
  },
});

/** @throws `rest_missing_callback_param` without a patch, `rest_invalid_param` for an empty one */
function changesIn(given: yup.InferType<typeof patch>): SiteChange {
  if (given === undefined) {
    return fail('rest_missing_callback_param', {
      message: 'Missing parameter(s): patch',
      data: { params: ['patch'] },
    });
  }
  const { title: _title, slug: _slug, description: _description, ...changes } = given;
  if (Object.keys(changes).length === 0) invalidParams({ patch: 'must name a field to change' });
  return changes;
}
