import type { Course } from '../course.ts';

/** `course.json`: the course for whoever wants to read it by program. The player does not. */
export const courseRecord = (course: Course): string =>
  `${JSON.stringify(
    {
      course_name: course.courseName,
      course_id: course.courseId,
      version: course.version,
      api_type: course.apiType,
      build_id: course.buildId,
      revision: course.revision,
      built_at: course.builtAt.toISOString(),
      language: course.language,
      pages: course.pages.map(({ id, title, slug, href, section }) => ({
        id,
        title,
        slug,
        href,
        section: section && { id: section.id, name: section.name },
      })),
    },
    null,
    2,
  )}\n`;
