import { type Call, maxId, type Term, Terms, yup } from '@lyceum/core';
import type { Knex } from 'knex';
import { coursesOf } from './courses.ts';
import { type Languages, shownName } from './languages.ts';

/** The taxonomy of course sections. */
export const sectionTaxonomy = 'course_section';

/** The meta key by which a section names its course. */
export const courseKey = 'course_id';

/** Whoever sorts sections and writes posts. */
export const access = { canAll: ['manage_categories', 'edit_posts'] } as const;

const integer = () => yup.number().integer();

/** A section as the API shows it. */
export const SectionRecord = yup.object({
  id: integer().required(),
  name: yup.string().required(),
  slug: yup.string().required(),
  count: integer().required(),
  order: integer().required(),
  icon: yup.string().defined(),
  courseId: integer().nullable().defined(),
});

export const SectionList = yup.array().of(SectionRecord.required()).required();

/** Any integer that JSON tells exactly: one that can be no id is that of nothing. */
export const wholeNumber = () => integer().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** Whether a number may be asked for in SQL. */
export const isId = (given: number): boolean => given >= 1 && given <= maxId;

/** The course that the section was linked to, whether it is still there or not. */
export function storedCourse({ meta }: Pick<Term, 'meta'>): number | null {
  const id = meta[courseKey];
  return typeof id === 'number' ? id : null;
}

/** Sections as the API shows them, with the posts and the courses that they have now: two queries for all of them. */
export async function showSections(
  call: Call,
  sections: readonly Term[],
  languages: Languages,
  sql: Knex,
): Promise<yup.InferType<typeof SectionList>> {
  const counts = await call.get(Terms).counts(
    sections.map(({ id }) => id),
    sql,
  );
  const linked = [...new Set(sections.flatMap((section) => storedCourse(section) ?? []))];
  const courses = await coursesOf(call);
  const alive = await courses?.alive(call.site.blog_id, linked, sql);
  return sections.map((section) => {
    const course = storedCourse(section);
    const { id, slug, order, icon } = section;
    return {
      id,
      name: shownName(section, languages),
      slug,
      count: counts.get(id) ?? 0,
      order,
      icon,
      courseId: course !== null && alive?.has(course) ? course : null,
    };
  });
}
