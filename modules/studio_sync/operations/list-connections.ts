import { callerOf, defineOperation, page, pageQuery, yup } from '@lyceum/core';
import { ConnectionRecord, connectionExample, idleDaysOf } from '../connection.ts';
import { ConnectionStore } from '../connection-store.ts';
import { namespace } from '../site-row.ts';

export const listConnections = defineOperation({
  id: 'studio_sync.list-connections',
  method: 'GET',
  path: `${namespace}/connections`,
  summary: 'Connections of the caller, newest first',
  description: 'With `manage_options` also those of others that were made at this site.',
  access: { can: 'edit_pages' },
  input: { query: yup.object(pageQuery()) },
  output: yup.array().of(ConnectionRecord.required()).required(),
  paged: true,
  example: { answer: [connectionExample] },
  handle: async ({ query }, call) => {
    const { blog_id, network_id } = call.site;
    const blogId = call.can('manage_options') ? blog_id : null;
    const filter = { userId: callerOf(call).id, networkId: network_id, blogId };
    const offset = (query.page - 1) * query.per_page;
    const { connections, total } = await call
      .get(ConnectionStore)
      .list(filter, idleDaysOf(call), query.per_page, offset);
    return page(connections, total);
  },
});
