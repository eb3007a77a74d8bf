import { on } from '@lyceum/core';
import type {} from '@lyceum/module/lms';
import { Builds } from '../builds.ts';

/** Builds of a course that is gone belong to none; they and their files stay. */
export const leaveCourse = on('course.deleted', async ({ course, released }, { trx, get }) => {
  released.builds += await get(Builds).parts.store.leaveCourse(trx, course.blog_id, course.id);
});
