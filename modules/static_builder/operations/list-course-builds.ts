import { Database, defineOperation, fail, idText, readId, yup } from '@lyceum/core';
import { checkCourse } from '../build-fields.ts';
import { BuildRecord, presentBuilds } from '../build-record.ts';
import { Builds } from '../builds.ts';
import { access, blogCodes } from '../operation-parts.ts';

export const listCourseBuilds = defineOperation({
  id: 'static_builder.list-course-builds',
  method: 'GET',
  path: 'svclms/static-builder/v1/courses/{course_id}/builds',
  summary: 'The builds of a course record, the one that changed last first',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  input: { params: yup.object({ course_id: idText() }) },
  output: yup.object({
    blog_id: yup.number().integer().required(),
    course_id: yup.number().integer().required(),
    builds: yup.array().of(BuildRecord.required()).required(),
  }),
  errors: ['svclms_static_builder_course_not_found'],
  handle: async ({ params }, call) => {
    const courseId = readId(params.course_id) ?? fail('svclms_static_builder_course_not_found');
    const { knex } = call.get(Database);
    await checkCourse(knex, call, courseId);
    const { blog_id } = call.site;
    const builds = await call.get(Builds).parts.store.ofCourse(knex, blog_id, courseId);
    return { blog_id, course_id: courseId, builds: await presentBuilds(call, builds) };
  },
});
