import { type Call, Database, defineOperation, HostSettings, settingIs } from '@lyceum/core';
import { presentRow, TableRecord } from '../table/present-row.ts';
import { readTableQuery, requestSchema, type TableRequest } from '../table/table-request.ts';
import { readTable } from '../table/table-store.ts';

const shared = {
  path: 'svctutor/rag/v1/datatables',
  access: { can: 'manage_options' },
  when: settingIs('rag_export_enabled', true),
  contract: true,
  bracketed: true,
  output: TableRecord,
  errors: ['rag_search_timeout'],
} as const;

export const getTable = defineOperation({
  ...shared,
  id: 'rag.get-table',
  method: 'GET',
  summary: 'One page of the chunks of the site, as tables of datatables.net ask for it',
  description:
    'Names are bracketed, as `order[0][dir]`. A page holds at most 1000 rows; a search is given up after 10 s.',
  input: { query: requestSchema },
  handle: ({ query }, call) => show(call, query),
});

export const postTable = defineOperation({
  ...shared,
  id: 'rag.post-table',
  method: 'POST',
  summary: 'The same, asked for by a form or by JSON; changes nothing',
  input: { body: requestSchema },
  handle: ({ body }, call) => show(call, body),
});

async function show(call: Call, request: TableRequest) {
  const page = await readTable(call.get(Database), call.site.blog_id, readTableQuery(request));
  const timeZone = call.get(HostSettings).value<string>(call.state, 'timezone');
  return {
    draw: request.draw,
    recordsTotal: page.total,
    recordsFiltered: page.filtered,
    data: page.rows.map((row) => presentRow(row, timeZone)),
  };
}
