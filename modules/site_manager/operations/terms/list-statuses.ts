import { defineOperation, pageQuery, yup } from '@lyceum/core';
import { SiteStatus, termQuery } from '../../term-fields.ts';
import { listTerms } from './list-terms.ts';

export const listStatuses = defineOperation({
  id: 'site_manager.list-statuses',
  method: 'GET',
  path: 'svc/site-manager/v1/statuses',
  summary: 'Site statuses of the network, by name',
  access: { can: 'manage_network' },
  contract: true,
  input: { query: yup.object({ ...termQuery(), ...pageQuery() }) },
  output: yup.array().of(SiteStatus.required()).required(),
  paged: true,
  handle: ({ query }, call) => listTerms(call, 'site_status', query),
});
