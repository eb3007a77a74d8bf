import type { ApiType, Course, CoursePage } from '../course.ts';

/** A page of a course of tests. */
export const page = (
  id: number,
  number: number,
  title: string,
  section: CoursePage['section'] = null,
): CoursePage => {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'page';
  const href = `pages/${String(number).padStart(3, '0')}-${slug}.html`;
  return { id, number, title, slug, href, language: 'en', section };
};

/** A course of three pages without sections. */
export const course = (apiType: ApiType, changes: Partial<Course> = {}): Course => ({
  blogId: 3,
  buildId: 7,
  revision: 2,
  builtAt: new Date('2026-11-21T10:00:00Z'),
  siteUrl: 'https://academy.example/',
  courseName: 'First aid at work',
  courseId: '',
  courseComment: 'What to do until help arrives.\nFor everybody on the shop floor.',
  version: 4,
  apiType,
  language: 'en',
  withHeader: true,
  useSections: true,
  pages: [page(11, 1, 'Welcome'), page(12, 2, 'Look and call'), page(13, 3, 'Recovery position')],
  ...changes,
});
