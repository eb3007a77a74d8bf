import { callerOf, defineOperation, provedBy, time, word, yup } from '@lyceum/core';
import { Account, accountExample, accountOf } from '../account.ts';
import { bearer } from '../bearer.ts';
import { connectionExample, ownConnectionFields } from '../connection.ts';
import { namespace, SiteRow, siteExample, siteRow } from '../site-row.ts';

const { user_id, blog_id, ...own } = connectionExample;

export const getDesktopStatus = defineOperation({
  id: 'studio_sync.get-desktop-status',
  method: 'GET',
  path: `${namespace}/desktop/status`,
  summary: 'The connection, its user and what he may do on this site',
  access: { secret: bearer },
  contract: true,
  output: yup.object({
    success: yup.boolean().required(),
    ...ownConnectionFields,
    user: Account.required(),
    site: SiteRow.required(),
    capabilities: yup
      .object({
        edit_pages: yup.boolean().required(),
        publish_pages: yup.boolean().required(),
        edit_others_pages: yup.boolean().required(),
      })
      .required(),
    server_time: time().required(),
    api_version: word('v1').required(),
  }),
  example: {
    answer: {
      success: true,
      ...own,
      user: accountExample,
      site: siteExample,
      capabilities: { edit_pages: true, publish_pages: true, edit_others_pages: true },
      server_time: '2026-05-04T09:30:00.120Z',
      api_version: 'v1',
    },
  },
  handle: (_input, call) => ({
    success: true,
    ...provedBy(call, bearer),
    user: accountOf(callerOf(call)),
    site: siteRow(call, call.site),
    capabilities: {
      edit_pages: call.can('edit_pages'),
      publish_pages: call.can('publish_pages'),
      edit_others_pages: call.can('edit_others_pages'),
    },
    server_time: call.now().toISOString(),
    api_version: 'v1',
  }),
});
