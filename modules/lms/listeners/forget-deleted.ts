import { audit, type ListenerTools, on, type Post, Terms } from '@lyceum/core';
import { courseType } from '../course.ts';
import { CourseStore } from '../courses-store.ts';

/** A course that is gone for good is named nowhere any more, nor is a page by courses. */
export const forgetDeleted = on('post.deleted', async ({ post }, tools) => {
  if (post.type === courseType) await releaseLinks(post, tools);
  if (post.type === 'page') await tools.get(CourseStore).dropPage(tools.trx, post.blog_id, post.id);
});

async function releaseLinks(course: Post, { trx, actor, get, send }: ListenerTools): Promise<void> {
  const owner = { blog_id: course.blog_id };
  const sections = await get(Terms).dropMeta(trx, owner, 'course_section', 'course_id', course.id);
  const released = { builds: 0 };
  await send({ kind: 'course.deleted', course, released });
  await audit(trx, actor, {
    module: 'lms',
    action: 'course.delete',
    subject: `course:${course.id}`,
    blogId: course.blog_id,
    from: { title: course.title, links: sections.length, builds: released.builds },
  });
}
