import type { Post } from '@lyceum/core';

export type { ApiType, Course, ExportMode } from './course.ts';
export { Courses } from './courses.ts';

declare module '@lyceum/core' {
  interface NoticeKinds {
    /** The course is in the trash: links to it stay stored and count as none. */
    'course.trashed': { readonly course: Post };
    /** The course is out of the trash: links to it count again. */
    'course.restored': { readonly course: Post };
    /** The course is gone for good. Who kept links to it removes them and adds their number for the audit row. */
    'course.deleted': { readonly course: Post; readonly released: { builds: number } };
  }
}
