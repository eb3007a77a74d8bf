import { invalidParams, type ListenerTools, on, type Post } from '@lyceum/core';
import { courseType } from '../course.ts';
import { CourseStore } from '../courses-store.ts';

/** As many unknown ids are named in an answer. */
const mostNamed = 50;

/** What only the database knows about a course that is written. */
export const checkCourse = on('post.writing', async ({ before, after, copyOf }, tools) => {
  if (after.type !== courseType) return;
  // A copy keeps the pages of its source, of which one may be in the trash.
  await checkPages(before ?? copyOf ?? null, after, tools);
  await checkCourseId(before, after, tools);
});

async function checkPages(before: Post | null, after: Post, { trx, get }: ListenerTools): Promise<void> {
  const ids = pageIds(after);
  if (ids.length === 0 || JSON.stringify(ids) === JSON.stringify(before && pageIds(before))) return;
  const wrong = await get(CourseStore).notPages(trx, after.blog_id, ids);
  if (wrong.length === 0) return;
  invalidParams({ 'meta.page_ids': `are no pages of the site: ${wrong.slice(0, mostNamed).join(', ')}` });
}

/** Where courses must have an id, none comes out without one, and none that is out loses it. */
async function checkCourseId(before: Post | null, after: Post, tools: ListenerTools): Promise<void> {
  if (!isOut(after) || courseId(after) !== '') return;
  const wasSo = before !== null && isOut(before) && courseId(before) === '';
  if (wasSo || !(await tools.setting<boolean>('require_course_id'))) return;
  invalidParams({ 'meta.course_id': 'is required of a published course' });
}

const isOut = ({ status }: Post): boolean => status === 'publish' || status === 'future';

const courseId = ({ meta }: Post): unknown => meta.course_id ?? '';

const pageIds = ({ meta }: Post): readonly number[] => (meta.page_ids ?? []) as readonly number[];
