import { audit, type Call, Database, defineOperation, fail, Terms, yup } from '@lyceum/core';
import type { Courses } from '@lyceum/module/lms';
import type { Knex } from 'knex';
import { coursesOf } from '../courses.ts';
import { access, courseKey, isId, sectionTaxonomy, storedCourse, wholeNumber } from '../section.ts';

export const linkCourse = defineOperation({
  id: 'course_manager.link-course',
  method: 'PUT',
  path: 'svc/course-manager/v1/sections/{section_id}/course',
  summary: 'Link a section to the course that it belongs to; null or 0 takes the link away',
  access,
  contract: true,
  input: {
    params: yup.object({ section_id: wholeNumber().min(1).required() }),
    body: yup.object({ courseId: wholeNumber().min(0).nullable().defined() }),
  },
  output: yup.object({
    ok: yup.boolean().required(),
    sectionId: yup.number().integer().required(),
    courseId: yup.number().integer().nullable().defined(),
  }),
  errors: ['svccm_course_link_unavailable', 'svccm_invalid_section_term', 'svclms_invalid_course_term'],
  example: { body: { courseId: 50 }, answer: { ok: true, sectionId: 7, courseId: 50 } },
  handle: async ({ params, body }, call) => {
    const courses = (await coursesOf(call)) ?? fail('svccm_course_link_unavailable');
    const sectionId = params.section_id;
    const courseId = body.courseId || null;
    await call.get(Database).transaction((trx) => link(trx, call, courses, sectionId, courseId));
    return { ok: true, sectionId, courseId };
  },
});

/** What is so already leaves no trace. */
async function link(
  trx: Knex.Transaction,
  call: Call,
  courses: Courses,
  sectionId: number,
  courseId: number | null,
): Promise<void> {
  const terms = call.get(Terms);
  const owner = { blog_id: call.site.blog_id };
  const seen = isId(sectionId) ? await terms.find(owner, sectionId, trx) : null;
  if (seen?.taxonomy !== sectionTaxonomy) fail('svccm_invalid_section_term');
  // The course before the section: in this order they are taken by who deletes a course with its links.
  if (courseId !== null && !(isId(courseId) && (await courses.hold(trx, owner.blog_id, courseId)))) {
    fail('svclms_invalid_course_term');
  }
  const before = (await terms.lock(trx, owner, sectionId)) ?? fail('svccm_invalid_section_term');
  const from = storedCourse(before);
  if (from === courseId) return;
  await terms.setMeta(trx, owner, sectionId, courseKey, courseId);
  await audit(trx, call, {
    module: 'course_manager',
    action: 'course_manager.course_link',
    subject: `section:${sectionId}`,
    from: { course_id: from },
    to: { course_id: courseId },
  });
}
