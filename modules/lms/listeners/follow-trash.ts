import { on } from '@lyceum/core';
import { courseType } from '../course.ts';

export const courseTrashed = on('post.trashed', async ({ post }, tools) => {
  if (post.type === courseType) await tools.send({ kind: 'course.trashed', course: post });
});

export const courseRestored = on('post.restored', async ({ post }, tools) => {
  if (post.type === courseType) await tools.send({ kind: 'course.restored', course: post });
});
