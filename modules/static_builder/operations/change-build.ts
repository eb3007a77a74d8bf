import { type Call, Database, defineOperation, etagOf, fail, matchesEtag, reply, yup } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Build } from '../build.ts';
import {
  buildFields,
  checkCourse,
  checkFavourite,
  checkPages,
  fieldErrors,
  type GivenFields,
  readConfig,
  readPageIds,
} from '../build-fields.ts';
import { BuildRecord, presentBuild } from '../build-record.ts';
import { type BuildEdit, Builds, refuseActive } from '../builds.ts';
import { buildPath, findErrors, lockBuild } from '../find-build.ts';
import { access, blogCodes } from '../operation-parts.ts';

export const changeBuild = defineOperation({
  id: 'static_builder.change-build',
  method: 'PATCH',
  path: 'svclms/static-builder/v1/builds/{id}',
  summary: 'Change what the next run of a build makes',
  description: 'Status, revision and files stay as they are until then. `If-Match` is honoured.',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  input: { params: buildPath(), body: yup.object(buildFields(false)) },
  output: BuildRecord,
  errors: [
    ...fieldErrors,
    ...findErrors,
    'svclms_static_builder_busy',
    'svclms_static_builder_page_cache_rebuild',
    'svclms_static_builder_update_failed',
    'precondition_failed',
  ],
  handle: async ({ params, body }, call) => {
    const shown = await call.get(Database).transaction(async (trx) => {
      const before = await lockBuild(trx, call, params.id);
      await checkMatch(trx, call, before);
      const edit = await readEdit(trx, call, before, body);
      refuseActive(before);
      return presentBuild(call, await call.get(Builds).edit(trx, call, before, edit), trx);
    });
    return reply(shown, { headers: { ETag: etagOf(JSON.stringify(shown)) } });
  },
});

async function checkMatch(trx: Knex.Transaction, call: Call, build: Build): Promise<void> {
  const wanted = call.header('if-match');
  if (wanted === '') return;
  const etag = etagOf(JSON.stringify(await presentBuild(call, build, trx)));
  if (!matchesEtag(wanted, etag)) fail('precondition_failed');
}

async function readEdit(
  trx: Knex.Transaction,
  call: Call,
  before: Build,
  body: GivenFields,
): Promise<BuildEdit> {
  const { page_ids, build_course_id, favourite } = body;
  const most = call.setting<number>('max_pages');
  const pages = page_ids === undefined ? undefined : readPageIds(page_ids, most);
  const config = readConfig(body, before.config);
  const courseId = build_course_id ?? before.build_course_id;
  checkFavourite(favourite, courseId);
  if (pages) await checkPages(trx, call, pages);
  const namesCourse = build_course_id !== undefined && build_course_id !== 0;
  if (namesCourse || favourite === true) await checkCourse(trx, call, courseId);
  return {
    config,
    ...(pages && { page_ids: pages }),
    ...(build_course_id !== undefined && { build_course_id }),
    ...(favourite !== undefined && { favourite }),
  };
}
