import { Addresses, created, Database, defineOperation, yup } from '@lyceum/core';
import type { BuildConfig } from '../build.ts';
import {
  buildFields,
  checkCourse,
  checkFavourite,
  checkPages,
  fieldErrors,
  readConfig,
  readPageIds,
} from '../build-fields.ts';
import { BuildRecord, presentBuild } from '../build-record.ts';
import { Builds } from '../builds.ts';
import { access, blogCodes } from '../operation-parts.ts';

/** What is not said of a new build. */
const standard: BuildConfig = {
  course_name: '',
  api_type: 'local',
  course_id: '',
  version: 1,
  course_comment: '',
  export_mode: 'package',
};

/** Characters of a course's name. */
const longestName = 200;

export const createBuild = defineOperation({
  id: 'static_builder.create-build',
  method: 'POST',
  path: 'svclms/static-builder/v1/builds',
  summary: 'A new build of these pages; nothing runs yet',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  input: { body: yup.object({ ...buildFields(true), blog_id: yup.number().integer() }) },
  success: 201,
  output: BuildRecord,
  errors: [...fieldErrors, 'svclms_static_builder_create_failed', 'svclms_static_builder_configure_failed'],
  example: { body: { page_ids: [12, 15], course_name: 'Safety', api_type: 'scorm12' } },
  handle: async ({ body }, call) => {
    const page_ids = readPageIds(body.page_ids, call.setting<number>('max_pages'));
    const config = readConfig(body, standard);
    const courseId = body.build_course_id ?? 0;
    checkFavourite(body.favourite, courseId);
    const shown = await call.get(Database).transaction(async (trx) => {
      const titles = await checkPages(trx, call, page_ids);
      if (courseId !== 0) await checkCourse(trx, call, courseId);
      const title = titles.get(page_ids[0] ?? 0) ?? '';
      const course_name = body.course_name ?? [...title].slice(0, longestName).join('');
      const build = await call.get(Builds).create(trx, call, {
        ...{ build_course_id: courseId, page_ids, favourite: body.favourite === true },
        config: { ...config, course_name },
      });
      return presentBuild(call, build, trx);
    });
    const route = `svclms/static-builder/v1/builds/${shown.id}`;
    return created(shown, call.get(Addresses).route(call.site, route));
  },
});
