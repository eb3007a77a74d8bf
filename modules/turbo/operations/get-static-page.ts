import {
  type Call,
  defineOperation,
  editorOf,
  FileLinks,
  fail,
  id,
  type Post,
  time,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { findPage, mayEdit } from '../page.ts';
import { type StaticPage, StaticPages } from '../static/static-pages.ts';
import { areaFolder, entryName } from '../static/static-record.ts';

const text = () => yup.string().required();

const StaticRecord = yup.object({
  page_id: yup.number().integer().required(),
  editor: text(),
  status: text(),
  hash: text(),
  built_at: time().required(),
  stale: yup.boolean().required(),
  entry: text(),
  url: text(),
  files: yup
    .array()
    .of(
      yup
        .object({
          name: text(),
          url: text(),
          bytes: yup.number().integer().required(),
          sha256: text(),
          mime_type: text(),
        })
        .required(),
    )
    .required(),
  placeholders: yup
    .array()
    .of(yup.object({ key: text(), shortcode: text() }).required())
    .required(),
  missing: yup.array().of(text()).required(),
});

export const getStaticPage = defineOperation({
  id: 'turbo.get-static-page',
  method: 'GET',
  path: 'svclms/turbo/v1/static/{id}',
  summary: 'A page as a folder of static files, rendered when it or what it is made of has changed',
  access: { can: 'edit_posts' },
  contract: true,
  input: { params: yup.object({ id: id().required() }) },
  output: StaticRecord,
  errors: ['turbo_page_not_found', 'turbo_static_too_large', 'rest_conflict', 'storage_unavailable'],
  timeoutMs: 300_000,
  handle: async ({ params }, call) => {
    const find = (sql: Knex): Promise<Post> => findUsable(call, params.id, sql);
    return present(call, await call.get(StaticPages).get(call, params.id, find));
  },
});

async function findUsable(call: Call, pageId: number, sql: Knex): Promise<Post> {
  const page = await findPage(call, pageId, sql);
  return page.status === 'publish' || mayEdit(call, page) ? page : fail('rest_forbidden');
}

function present(
  call: Call,
  { page, folder: { folder, files, placeholders, missing, built_at } }: StaticPage,
) {
  const links = call.get(FileLinks);
  const urlOf = (name: string): string => links.plain(call.site, `${areaFolder}/${folder}/${name}`);
  return {
    page_id: page.id,
    editor: editorOf(page),
    status: page.status,
    hash: page.hash,
    built_at,
    stale: false,
    entry: entryName,
    url: urlOf(entryName),
    files: Object.entries(files)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, file]) => ({ name, url: urlOf(name), ...file })),
    placeholders,
    missing,
  };
}
