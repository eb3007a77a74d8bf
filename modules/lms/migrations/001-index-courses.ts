import { defineMigration } from '@lyceum/core';

/**
 * One index keeps `course_id` unique among a site's courses outside the trash; the others find the sections of a
 * course and the courses of a page when either is deleted.
 */
export const indexCourses = defineMigration({
  id: '001-index-courses',
  up: async (trx) => {
    await trx.raw(`
      create unique index lms_course_id on posts (blog_id, (meta -> 'course_id'))
        where type = 'course' and status <> 'trash' and coalesce(meta ->> 'course_id', '') <> '';
      create index lms_course_pages on posts using gin ((meta -> 'page_ids') jsonb_path_ops)
        where type = 'course';
      create index lms_section_course on terms (blog_id, (meta -> 'course_id'))
        where taxonomy = 'course_section';
    `);
  },
});
